import Names
import Policy

/// One handshake that was made, in short.
public struct HandshakeNote: Sendable, Equatable {
  public let offer: HandshakeOffer
  /// nil: it failed before the origin chose anything.
  public let version: TLSVersion?
  public let suite: String?
  /// nil: it did not fail.
  public let failure: String?
}
