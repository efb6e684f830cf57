/// How much room there is for bodies that wait for their requests.
public struct EnvelopeBounds: Sendable {
  public var bodyByteCount: Int
  public var clientByteCount: Int
  public var totalByteCount: Int

  /// - Parameter limit: `bodies.hook.limit`.
  public init(limit: Int) {
    bodyByteCount = limit
    clientByteCount = max(64 << 20, limit + limit / 8)
    totalByteCount = max(256 << 20, 2 * limit)
  }
}
