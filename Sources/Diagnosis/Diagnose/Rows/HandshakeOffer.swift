import Names
import Policy
import TLS

/// What a device offers an origin: the only thing by which handshakes with it differ.
public struct HandshakeOffer: Sendable, Hashable {
  public let minimum: TLSVersion
  public let maximum: TLSVersion
  /// Up to TLS 1.2, best first, by OpenSSL's names; empty where TLS 1.3 alone is offered.
  public let suites: [String]
  /// Empty: all that the library knows.
  public let signatureAlgorithms: [String]

  public init(minimum: TLSVersion, maximum: TLSVersion, suites: [String], signatureAlgorithms: [String] = []) {
    self.minimum = minimum
    self.maximum = maximum
    self.suites = minimum >= .v13 ? [] : suites
    self.signatureAlgorithms = signatureAlgorithms
  }

  init(_ requirements: OriginRequirements) {
    let offer = requirements.offer
    self.init(
      minimum: offer.minimum, maximum: offer.maximum, suites: offer.cipherSuites,
      signatureAlgorithms: offer.signatureAlgorithms)
  }

  func permits(_ version: TLSVersion, _ suite: String) -> Bool {
    (minimum...maximum).contains(version) && (version >= .v13 || suites.contains(suite))
  }

  /// Whether all of it is in another offer.
  func isPart(of other: HandshakeOffer) -> Bool {
    minimum >= other.minimum && maximum <= other.maximum && signatureAlgorithms == other.signatureAlgorithms
      && (minimum >= .v13 || Set(suites).isSubset(of: other.suites))
  }

  /// The offer with suites that no system of Apple's speaks.
  func adding(_ more: [String]) -> HandshakeOffer {
    HandshakeOffer(
      minimum: minimum, maximum: maximum, suites: suites + more, signatureAlgorithms: signatureAlgorithms)
  }

  func parameters(allowsLateAuthentication: Bool) -> TLSClientParameters {
    TLSClientParameters(
      minimumVersion: minimum, maximumVersion: maximum, cipherSuites: suites,
      allowsLateAuthentication: allowsLateAuthentication, signatureAlgorithms: signatureAlgorithms)
  }
}
