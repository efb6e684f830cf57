import Names
import Policy

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
