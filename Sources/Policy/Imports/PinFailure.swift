/// A pin set that did not accept an origin, with all that a report about it says but the certificates.
public struct PinFailure: Sendable, Hashable {
  /// With TrustKit's number (`validation-result`).
  public enum Cause: Int, Sendable, Hashable {
    case noMatchingPin = 1
    case invalidChain = 2
  }

  /// What the pins belong to: `trust.cgtn`, `t.plist: trustkit`.
  public var source: String
  public var cause: Cause
  /// The domain or pattern by which the host is pinned.
  public var entry: String
  public var includesSubdomains: Bool
  public var isEnforced: Bool
  public var pins: [Pin]
  /// The day (UTC) from which on the pins do not count, such as `2030-01-31`.
  public var expiryDay: String?
  public var reportURIs: [String]
  /// nil where the pins come from no application's property list.
  public var app: ReportedApp?

  public init(
    source: String, cause: Cause, entry: String, includesSubdomains: Bool, isEnforced: Bool, pins: [Pin],
    expiryDay: String? = nil, reportURIs: [String], app: ReportedApp? = nil
  ) {
    self.source = source
    self.cause = cause
    self.entry = entry
    self.includesSubdomains = includesSubdomains
    self.isEnforced = isEnforced
    self.pins = pins
    self.expiryDay = expiryDay
    self.reportURIs = reportURIs
    self.app = app
  }
}
