import Names

/// `pictures`: the cache of images.
public struct PictureSettings: Sendable {
  public enum Freshness: String, Sendable, CaseIterable {
    case rfc9111, access
  }

  public internal(set) var hosts: [HostPattern] = []
  /// Without a dot, in lower case.
  public internal(set) var extensions = ["png", "jpg", "jpeg", "gif", "webp", "heic", "avif"]
  public internal(set) var memoryByteCount = 64 << 20
  public internal(set) var diskByteCount = 512 << 20
  public internal(set) var freshness = Freshness.rfc9111
  public internal(set) var maximumAge = Duration.seconds(7 * 86_400)
  public internal(set) var prefetch = false
}

/// `store`: the history of exchanges.
public struct StoreSettings: Sendable {
  public internal(set) var byteCount = 256 << 20
  public internal(set) var exchangeCount = 100_000
}
