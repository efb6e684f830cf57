/// What is told of a tunnel when it ends: a blind one, or one whose client refused our certificate (contract, section 5).
public struct TunnelRecord: Sendable {
  /// Milliseconds since 1970.
  public var ended: Int64
  public var lane: String
  public var client: String
  /// `host:port` of the CONNECT.
  public var target: String
  public var sni: String?
  /// What the client offered.
  public var alpn: [String]
  /// Bytes from the client to the origin, and back.
  public var sentByteCount: Int
  public var receivedByteCount: Int
  /// Nanoseconds.
  public var duration: UInt64
  /// The client ended the handshake right after our certificate: it pins the origin's, or does not trust our authority.
  public var isSuspectedPinning: Bool
  /// It passed unseen because its client seems to pin the host and its lane fails open.
  public var hasFailedOpen = false
  /// Why it ended, when that was no ordinary close.
  public var detail: String?

  public init(
    ended: Int64, lane: String, client: String, target: String, sni: String?, alpn: [String],
    sentByteCount: Int, receivedByteCount: Int, duration: UInt64, isSuspectedPinning: Bool, detail: String?
  ) {
    self.ended = ended
    self.lane = lane
    self.client = client
    self.target = target
    self.sni = sni
    self.alpn = alpn
    self.sentByteCount = sentByteCount
    self.receivedByteCount = receivedByteCount
    self.duration = duration
    self.isSuspectedPinning = isSuspectedPinning
    self.detail = detail
  }
}
