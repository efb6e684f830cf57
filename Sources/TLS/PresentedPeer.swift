import Names

/// What an origin shows of itself during a handshake, before it gets any client certificate.
public struct PresentedPeer: Sendable {
  public let version: TLSVersion
  /// OpenSSL's name of the suite that is being negotiated.
  public let cipher: String
  /// The certificates as sent, leaf first. Never empty. Nothing about them has been verified.
  public let chain: [Certificate]

  public init(version: TLSVersion, cipher: String, chain: [Certificate]) {
    self.version = version
    self.cipher = cipher
    self.chain = chain
  }
}
