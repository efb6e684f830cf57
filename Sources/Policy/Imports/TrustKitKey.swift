/// The names in a `TSKConfiguration` (spec D.1).
enum TrustKitKey {
  static let configuration = "TSKConfiguration"
  static let domains = "TSKPinnedDomains"
  static let hashes = "TSKPublicKeyHashes"
  static let enforce = "TSKEnforcePinning"
  static let subdomains = "TSKIncludeSubdomains"
  /// TrustKit's code has the name without its first letter; both are read.
  static let exclude: Set = ["TSKExcludeSubdomainFromParentPolicy", "kSKExcludeSubdomainFromParentPolicy"]
  static let expiration = "TSKExpirationDate"
  static let reportURIs = "TSKReportUris"
  static let disablesDefaultReports = "TSKDisableDefaultReportUri"
  static let algorithms = "TSKPublicKeyAlgorithms"
  static let additionalAnchors = "TSKAdditionalTrustAnchors"
  static let swizzle = "TSKSwizzleNetworkDelegates"
  static let ignoresUserAnchors = "TSKIgnorePinningForUserDefinedTrustAnchors"

  /// Of one domain, but for `exclude`.
  static let ofDomain: Set = [
    hashes, enforce, subdomains, expiration, reportURIs, disablesDefaultReports, algorithms, additionalAnchors,
  ]
}
