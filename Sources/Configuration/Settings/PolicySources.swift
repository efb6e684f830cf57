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
