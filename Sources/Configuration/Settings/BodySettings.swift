/// `bodies`: what is done with message bodies beside passing them on.
public struct BodySettings: Sendable {
  /// Whether each request body is hashed and counted as received and as sent.
  public internal(set) var receipts = true
  /// How much of each body is kept for the console and HAR; 0: nothing.
  public internal(set) var captureByteCount = 64 << 10
  public internal(set) var hook = HookSettings()
  /// Header fields, in lower case, that are never sent on.
  public internal(set) var stripHeaders = ["key1", "imywebdxp"]
}
