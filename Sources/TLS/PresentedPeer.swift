/// What an origin shows of itself during a handshake, before it gets any client certificate.
public struct PresentedPeer: Sendable {
  public let version: ProtocolVersion
  /// OpenSSL's name of the suite that is being negotiated.
  public let cipher: String
  /// Whether the extended master secret was agreed on (RFC 7627); false in TLS 1.3, which has no such extension.
  public let usesExtendedMasterSecret: Bool
  /// The certificates as sent, leaf first. Never empty. Nothing about them has been verified.
  public let chain: [Certificate]

  public init(
    version: ProtocolVersion, cipher: String, chain: [Certificate], usesExtendedMasterSecret: Bool = false
  ) {
    self.version = version
    self.cipher = cipher
    self.usesExtendedMasterSecret = usesExtendedMasterSecret
    self.chain = chain
  }
}
