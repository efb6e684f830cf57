import Names

/// What connections to origins offer; one context is made for each distinct value.
public struct TLSClientParameters: Hashable, Sendable {
  public var minimumVersion: TLSVersion
  public var maximumVersion: TLSVersion
  /// The suites to offer up to TLS 1.2, best first, by OpenSSL's names. Ignored when only TLS 1.3 is offered, which always offers its
  /// three; must not be empty else.
  public var cipherSuites: [String]
  /// What may sign the handshake, best first, by the names of RFC 8446, section 4.2.3; empty: all that the library knows.
  public var signatureAlgorithms: [String]
  /// Whether the origin may ask for a client certificate after the handshake, by renegotiation in TLS 1.2 and by post-handshake
  /// authentication in TLS 1.3. Costs resumption, and HTTP/2 forbids both (RFC 9113 section 9.2.1, RFC 8740).
  public var allowsLateAuthentication: Bool

  public init(
    minimumVersion: TLSVersion, maximumVersion: TLSVersion, cipherSuites: [String],
    allowsLateAuthentication: Bool, signatureAlgorithms: [String] = []
  ) {
    self.minimumVersion = minimumVersion
    self.maximumVersion = maximumVersion
    self.cipherSuites = cipherSuites
    self.signatureAlgorithms = signatureAlgorithms
    self.allowsLateAuthentication = allowsLateAuthentication
  }
}
