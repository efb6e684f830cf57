/// The names in an `NSAppTransportSecurity` dictionary (spec A.2).
enum ATSKey {
  static let arbitraryLoads = "NSAllowsArbitraryLoads"
  static let media = "NSAllowsArbitraryLoadsForMedia"
  /// The name of the media key in early betas, which old texts still give.
  static let mediaOfBetas = "NSAllowsArbitraryLoadsInMedia"
  static let webContent = "NSAllowsArbitraryLoadsInWebContent"
  static let localNetworking = "NSAllowsLocalNetworking"
  static let exceptionDomains = "NSExceptionDomains"
  static let pinnedDomains = "NSPinnedDomains"
  static let niap = "NSRequiresNIAPTLSPackageVersion"

  static let subdomains = "NSIncludesSubdomains"
  static let insecureHTTP = "NSExceptionAllowsInsecureHTTPLoads"
  static let minimumTLS = "NSExceptionMinimumTLSVersion"
  static let forwardSecrecy = "NSExceptionRequiresForwardSecrecy"
  static let transparency = "NSRequiresCertificateTransparency"
  static let exceptionNIAP = "NSExceptionRequiresNIAPTLSPackageVersion"

  static let pinnedLeaves = "NSPinnedLeafIdentities"
  static let pinnedAuthorities = "NSPinnedCAIdentities"
  static let digest = "SPKI-SHA256-BASE64"

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
