/// The names in an `NSAppTransportSecurity` dictionary (spec A.2).
public enum ATSKey {
  /// Where the dictionary stands in an app's Info.plist.
  public static let transportSecurity = "NSAppTransportSecurity"

  public static let arbitraryLoads = "NSAllowsArbitraryLoads"
  public static let media = "NSAllowsArbitraryLoadsForMedia"
  /// The name of the media key in early betas, which old texts still give.
  public static let mediaOfBetas = "NSAllowsArbitraryLoadsInMedia"
  public static let webContent = "NSAllowsArbitraryLoadsInWebContent"
  public static let localNetworking = "NSAllowsLocalNetworking"
  public static let exceptionDomains = "NSExceptionDomains"
  public static let pinnedDomains = "NSPinnedDomains"
  public static let niap = "NSRequiresNIAPTLSPackageVersion"

  public static let subdomains = "NSIncludesSubdomains"
  public static let insecureHTTP = "NSExceptionAllowsInsecureHTTPLoads"
  public static let minimumTLS = "NSExceptionMinimumTLSVersion"
  public static let forwardSecrecy = "NSExceptionRequiresForwardSecrecy"
  public static let transparency = "NSRequiresCertificateTransparency"
  public static let exceptionNIAP = "NSExceptionRequiresNIAPTLSPackageVersion"

  public static let pinnedLeaves = "NSPinnedLeafIdentities"
  public static let pinnedAuthorities = "NSPinnedCAIdentities"
  public static let digest = "SPKI-SHA256-BASE64"

  static let globals: Set = [
    arbitraryLoads, media, mediaOfBetas, webContent, localNetworking, exceptionDomains, pinnedDomains, niap,
  ]
  static let exceptions: Set = [subdomains, insecureHTTP, minimumTLS, forwardSecrecy, transparency, exceptionNIAP]

  /// Names that early releases read in place of `key`, in the order in which they count when several are present.
  static func aliases(of key: String) -> [String] {
    guard exceptions.contains(key), let suffix = suffix(of: key) else { return [] }
    return ["NSThirdPartyException", "NSTemporaryException", "NSTemporaryThirdPartyException"].map { $0 + suffix }
  }

  /// The plain key that `alias` stands for.
  static func plainKey(of alias: String) -> String? {
    [insecureHTTP, minimumTLS, forwardSecrecy].first { aliases(of: $0).contains(alias) }
  }

  private static func suffix(of key: String) -> String? {
    let prefix = "NSException"
    return key.hasPrefix(prefix) ? String(key.dropFirst(prefix.count)) : nil
  }
}
