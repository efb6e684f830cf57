import Names

/// `bodies`: what is done with message bodies beside passing them on.
public struct BodySettings: Sendable {
  /// Whether each request body is hashed and counted as received and as sent.
  public internal(set) var receipts = true
  /// How much of each body is kept for the console and HAR; 0: nothing.
  public internal(set) var captureByteCount = 64 << 10
  /// Hosts whose pages get the script that restores stripped bodies.
  public internal(set) var hookHosts: [HostPattern] = []
  /// The largest body that is restored.
  public internal(set) var hookByteLimit = 32 << 20
  /// Header fields, in lower case, that are never sent on.
  public internal(set) var stripHeaders = ["key1", "imywebdxp"]
}
