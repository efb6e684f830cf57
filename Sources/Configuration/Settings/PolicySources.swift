/// `ct`: Certificate Transparency.
public struct TransparencySettings: Sendable {
  /// The path of a v3 JSON log list; nil: none.
  public internal(set) var logList: String?
  /// How old the list may be.
  public internal(set) var maximumAge = Duration.seconds(70 * 86_400)
}

/// One entry of `imports`: pins in the format of another tool.
public struct ImportSettings: Sendable, Hashable {
  public enum Format: String, Sendable, CaseIterable {
    case trustKit = "trustkit"
    case networkSecurityConfig = "network-security-config"
    case okHttp = "okhttp"
    case curl
  }

  public internal(set) var file: String
  /// nil: told by the content of the file.
  public internal(set) var format: Format?
  /// The SDK for which an Android application was built.
  public internal(set) var targetSDK = 34
  /// Whether an Android application is debuggable.
  public internal(set) var debug = false
}
