/// What a decoder accepts at most; a message beyond is refused, so that memory stays bounded.
public struct HTTP1Limits: Sendable, Equatable {
  /// Bytes of a head, from the first of its first line to the empty line.
  public var headByteCount: Int
  /// Fields of a head or a trailer section.
  public var fieldCount: Int
  /// Bytes of a trailer section.
  public var trailerByteCount: Int
  /// Bytes of the line before a chunk.
  public var chunkLineByteCount: Int
  /// Bytes of all chunk extensions of a body together: they are dropped, and must not cost more than the body.
  public var chunkExtensionByteCount: Int

  public init(
    headByteCount: Int = 64 << 10, fieldCount: Int = 1_000, trailerByteCount: Int = 16 << 10,
    chunkLineByteCount: Int = 4 << 10, chunkExtensionByteCount: Int = 64 << 10
  ) {
    self.headByteCount = min(headByteCount, 1 << 30)
    self.fieldCount = fieldCount
    self.trailerByteCount = min(trailerByteCount, 1 << 30)
    self.chunkLineByteCount = chunkLineByteCount
    self.chunkExtensionByteCount = chunkExtensionByteCount
  }
}
