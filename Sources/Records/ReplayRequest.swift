/// A request that the console asks the proxy to send once more, through the same decision and data path as a device's.
public struct ReplayRequest: Sendable {
  public let method: String
  /// Absolute, `http:` or `https:`.
  public let url: String
  /// As they were captured; those whose value is `CapturedMessage.Field.redacted` are left out, and so are those that frame a message.
  public let fields: [CapturedMessage.Field]
  public let body: [UInt8]
  /// The lane whose policy decides.
  public let lane: String
  /// The client of the first request, as its record names it: what was closed to that client (the target guard) stays closed to the
  /// repetition. nil: as for a client that is not on loopback.
  public let client: String?

  public init(
    method: String, url: String, fields: [CapturedMessage.Field], body: [UInt8], lane: String, client: String? = nil
  ) {
    self.method = method
    self.url = url
    self.fields = fields
    self.body = body
    self.lane = lane
    self.client = client
  }
}
