/// How much the cache may hold, and how long pictures stay fresh.
public struct PictureLimits: Sendable, Equatable {
  public var memoryByteCount: Int
  public var diskByteCount: Int
  public var freshness: Freshness

  public init(memoryByteCount: Int, diskByteCount: Int, freshness: Freshness) {
    self.memoryByteCount = memoryByteCount
    self.diskByteCount = diskByteCount
    self.freshness = freshness
  }

  /// A larger picture is passed on and not kept.
  var pictureByteCount: Int { min(max(memoryByteCount, diskByteCount) / 4, 32 << 20) }
}
