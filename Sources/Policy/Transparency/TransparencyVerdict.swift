/// What Certificate Transparency says of an origin's certificate.
public struct TransparencyVerdict: Sendable, Hashable {
  public enum Status: String, Sendable {
    case pass, fail
    /// Nobody asks the certificate for timestamps.
    case exempt
  }

  public var status: Status
  /// How many timestamps came, good or bad.
  public var count: Int
  /// One sentence without its full stop: what counted, or what is missing.
  public var reason: String

  public init(status: Status, count: Int, reason: String) {
    self.status = status
    self.count = count
    self.reason = reason
  }
}
