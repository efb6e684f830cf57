/// What the cache holds and has done, at one moment.
public struct PictureReadings: Sendable {
  /// By the raw values of `PictureEvent`.
  public var counts: [Int]
  public var memoryByteCount: Int
  public var diskByteCount: Int
  public var memoryEvictionCount: Int
  public var diskEvictionCount: Int
}
