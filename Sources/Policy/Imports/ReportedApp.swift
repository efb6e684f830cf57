/// The application whose pins failed, as its Info.plist names it; for reports.
public struct ReportedApp: Sendable, Hashable {
  /// `CFBundleIdentifier`.
  public var identifier: String
  /// `CFBundleShortVersionString`, else `CFBundleVersion`.
  public var version: String?

  public init(identifier: String, version: String?) {
    self.identifier = identifier
    self.version = version
  }

  /// nil where the property list is no Info.plist.
  init?(_ root: PropertyValue) {
    guard let identifier = root["CFBundleIdentifier"]?.text else { return nil }
    self.init(
      identifier: identifier, version: root["CFBundleShortVersionString"]?.text ?? root["CFBundleVersion"]?.text)
  }
}
