import Names

/// What an origin shows of itself during a handshake, before it gets any client certificate.
public struct PresentedPeer: Sendable {
  public let version: TLSVersion
  /// OpenSSL's name of the suite that is being negotiated.
  public let cipher: String
  /// The certificates as sent, leaf first. Never empty. Nothing about them has been verified.
  public let chain: [Certificate]
  /// The content of the extension signed_certificate_timestamp for the leaf (RFC 6962 section 3.3.1), unread; empty: none.
  public let timestamps: [UInt8]
  /// The stapled OCSP response for the leaf in DER, unread; nil: none.
  public internal(set) var staple: [UInt8]?
  /// The master secret is bound to the handshake (RFC 7627), as it always is from TLS 1.3 on.
  public let hasExtendedMasterSecret: Bool

  public init(
    version: TLSVersion, cipher: String, chain: [Certificate], timestamps: [UInt8] = [], staple: [UInt8]? = nil,
    hasExtendedMasterSecret: Bool = true
  ) {
    self.version = version
    self.cipher = cipher
    self.chain = chain
    self.timestamps = timestamps
    self.staple = staple
    self.hasExtendedMasterSecret = hasExtendedMasterSecret
  }
}
