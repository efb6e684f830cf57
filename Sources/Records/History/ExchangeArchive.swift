/// Recorded exchanges, as the console and HAR read them. May block on the disk: not for loops.
///
/// What cannot be read is a `DatabaseFault`. Where nothing is kept, there are no exchanges.
public protocol ExchangeArchive: Sendable {
  /// The newest exchanges that fit, newest first. A cursor that no page gave is an `ExchangeQueryFault`.
  func page(_ query: ExchangeQuery) throws -> ExchangePage
  /// nil: there is none (any more).
  func exchange(_ identifier: UInt64) throws -> StoredExchange?
  /// All exchanges that fit, oldest first, one at a time so that memory does not grow with the history.
  func each(_ query: ExchangeQuery, _ body: (StoredExchange) throws -> Void) throws
}

/// Which exchanges are wanted. Members that are nil do not narrow the choice.
public struct ExchangeQuery: Sendable, Hashable {
  /// How many a page may hold; other numbers are taken as the nearest of these.
  public static let limits = 1...1_000

  /// At most so many.
  public var limit = 100
  /// What `ExchangePage.next` of the page before said.
  public var cursor: String?
  /// So many of those that fit, newest first, are passed over.
  public var skip = 0
  /// The host of the URL, exactly, in any spelling, with or without port.
  public var host: String?
  public var status: Int?
  /// `intercept`, `bypass`, `deny` (the action), or `pass`, `fail`, `off` (the verdict of ATS), or `error`.
  public var verdict: String?
  public var lane: String?
  /// The client's address, with or without port.
  public var client: String?
  /// Part of the URL or of the failure's detail, in upper or lower case.
  public var text: String?
  /// Exchanges that began then or later, milliseconds since 1970.
  public var since: Int64?

  public init() {}
}

public struct ExchangePage: Sendable {
  public let exchanges: [StoredExchange]
  /// The cursor by which exactly these and older ones are found, whatever has come since; nil: there are none.
  public let start: String?
  /// Where the next page begins; nil: this was the last.
  public let next: String?

  public init(exchanges: [StoredExchange], start: String? = nil, next: String?) {
    self.exchanges = exchanges
    self.start = start
    self.next = next
  }
}

/// An exchange that came out of the history.
public struct StoredExchange: Sendable {
  public let identifier: UInt64
  /// The record, as one JSON object without a line end: what the log says of it.
  public let record: [UInt8]
  /// nil in pages, which leave messages out, and where nothing was kept.
  public let request: CapturedMessage?
  public let response: CapturedMessage?

  public init(identifier: UInt64, record: [UInt8], request: CapturedMessage?, response: CapturedMessage?) {
    self.identifier = identifier
    self.record = record
    self.request = request
    self.response = response
  }
}
