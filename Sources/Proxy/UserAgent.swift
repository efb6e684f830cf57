import Policy

/// Tells the ATS context of a request from its User-Agent (spec A.11), where the listener and the lane leave it open.
enum UserAgent {
  /// AVFoundation calls itself AppleCoreMedia; web views send a browser's name; everything else is the app's own code.
  static func context(_ value: String?) -> Context {
    guard let value else { return .app }
    if value.hasPrefix("AppleCoreMedia/") { return .media }
    if value.hasPrefix("Mozilla/"), value.contains("AppleWebKit/") { return .web }
    return .app
  }
}
