/// Where a page ends: the number of its last exchange. It stays valid while new exchanges come and old ones go, since numbers only grow.
enum HistoryCursor {
  static func text(_ sequence: Int64) -> String { String(sequence) }

  static func sequence(_ text: String) throws(ExchangeQueryFault) -> Int64 {
    guard let sequence = Int64(text), sequence > 0, text == String(sequence) else { throw .cursor(text) }
    return sequence
  }
}

/// A query that makes no sense; whoever asked is to be told.
public enum ExchangeQueryFault: Error, Equatable, Sendable, CustomStringConvertible {
  /// No page ended so.
  case cursor(String)

  public var description: String {
    switch self {
    case .cursor(let text): "`\(text.prefix(100))` is no cursor; it must be what `next` of the page before said"
    }
  }
}
