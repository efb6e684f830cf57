/// What a finished handshake agreed on.
public struct TLSFacts: Sendable, Hashable {
  /// `TLSv1.3`, as `TLSVersion` spells it.
  public let version: String
  /// OpenSSL's name of the suite: `ECDHE-RSA-AES128-GCM-SHA256`, `TLS_AES_128_GCM_SHA256`.
  public let cipher: String
  /// The application protocol, if one was agreed on.
  public let alpn: String?
  /// The handshake resumed an earlier session: the peer showed no certificate and the judge was not asked. What was decided then
  /// is beside the ticket.
  public let resumed: Bool

  public init(version: String, cipher: String, alpn: String?, resumed: Bool) {
    self.version = version
    self.cipher = cipher
    self.alpn = alpn
    self.resumed = resumed
  }
}
