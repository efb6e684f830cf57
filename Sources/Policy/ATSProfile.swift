import Names

/// How one version of the system reads and enforces `NSAppTransportSecurity` (spec A.3). The differences are data here, not branches elsewhere.
///
/// Immutable; a class so that a verdict can name it without a copy.
final class ATSProfile: Sendable {
  let os: OSVersion
  /// What the app was built with; nil: something that knows ATS.
  let sdk: LinkedSDK?
  /// ATS came with iOS 9, and apps that were built for an older system are not subject to it.
  let hasATS: Bool
  /// The keys for media, web content and local networking are read, and their presence neutralises `NSAllowsArbitraryLoads`.
  let readsScopedGlobals: Bool
  /// Names without a dot, `.local` and local addresses need no TLS unless the dictionary says so.
  let localIsFree: Bool
  /// Every address literal counts as local.
  let everyAddressIsLocal: Bool
  /// Addresses and CIDR ranges may stand in `NSExceptionDomains`.
  let readsAddressKeys: Bool
  let readsPinnedDomains: Bool
  /// `NSThirdParty…` and `NSTemporary…` stand for the plain keys.
  let readsAliases: Bool
  let readsNIAP: Bool
  /// The lowest version that an exception or a destination without ATS may go down to.
  let lowestTLS: TLSVersion
  let highestTLS: TLSVersion
  let forwardSecretSuites: [String]
  let plainSuites: [String]

  init(_ os: OSVersion, sdk: LinkedSDK? = nil) {
    func since(_ major: Int, _ minor: Int = 0) -> Bool { os >= OSVersion(major: major, minor: minor) }
    self.os = os
    self.sdk = sdk
    hasATS = since(9) && sdk?.hasATS != false
    readsScopedGlobals = since(10)
    localIsFree = since(10)
    everyAddressIsLocal = since(10) && !since(17)
    readsAddressKeys = since(17)
    readsPinnedDomains = since(14)
    readsAliases = !since(18, 4)
    readsNIAP = since(26, 4)
    lowestTLS = since(26) ? .v12 : .v10
    highestTLS = since(12, 2) ? .v13 : .v12
    forwardSecretSuites =
      since(15) ? CipherSuites.forwardSecret : since(13) ? CipherSuites.forwardSecret13 : CipherSuites.forwardSecret9
    plainSuites = since(15) ? CipherSuites.plain : CipherSuites.plain9
  }
}
