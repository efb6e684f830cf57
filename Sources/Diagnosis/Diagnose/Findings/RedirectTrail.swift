import Policy

/// Where the answers of an origin lead.
public struct RedirectTrail: Sendable {
  /// One more address on the way.
  public struct Step: Sendable {
    public let url: String
    public let host: String
    /// What keeps App Transport Security from following, without an exception; empty: nothing.
    public let objections: [Objection]
    /// nil: there was no answer, or none was asked for.
    public let status: Int?
  }

  public enum End: String, Sendable {
    /// The last answer leads nowhere else.
    case reached
    /// App Transport Security would not follow, so it was not followed here.
    case blocked
    case loop
    /// More than ten.
    case limit
    /// The last address did not answer, or not with HTTP.
    case failed
  }

  public internal(set) var steps: [Step] = []
  public internal(set) var end = End.reached

  /// As most clients, URLSession's own limit is 16.
  static let limit = 10
}
