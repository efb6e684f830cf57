import Names
import Policy

/// `ct`: Certificate Transparency.
public struct TransparencySettings: Sendable {
  /// The path of a v3 JSON log list; nil: none.
  public internal(set) var logList: String?
  /// How old the list may be.
  public internal(set) var maximumAge = Duration.seconds(70 * 86_400)
}

/// One entry of `imports`: pins in the format of another tool.
public struct ImportSettings: Sendable, Hashable {
  /// A path; a folder holds certificates.
  public internal(set) var file: String
  /// nil: told by the content of the file.
  public internal(set) var format: ImportFormat?
  /// The SDK for which an Android application was built.
  public internal(set) var targetSDK = 34
  /// Whether an Android application is debuggable.
  public internal(set) var debug = false
  /// For files that name no hosts: certificates, and curl's lists without a host.
  public internal(set) var hosts: [HostPattern] = []
}
