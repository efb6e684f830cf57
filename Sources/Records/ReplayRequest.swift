/// A request that the console asks the proxy to send once more, through the same decision and data path as a device's.
public struct ReplayRequest: Sendable {
  public let method: String
  /// Absolute, `http:` or `https:`.
  public let url: String
  public let fields: [CapturedMessage.Field]
  public let body: [UInt8]
  /// The lane whose policy decides.
  public let lane: String

  public init(method: String, url: String, fields: [CapturedMessage.Field], body: [UInt8], lane: String) {
    self.method = method
    self.url = url
    self.fields = fields
    self.body = body
    self.lane = lane
  }
}
