import Configuration
import Policy

/// Reads the dictionary of an Info.plist that a test has as text.
enum AppPropertyListSample {
  static func read(_ text: String) throws -> PropertyValue { try AppPropertyList(Array(text.utf8)).transportSecurity }
}
