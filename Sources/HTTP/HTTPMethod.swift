/// A request method. Methods are case-sensitive, so that each case has exactly one spelling.
public enum HTTPMethod: Sendable, Hashable, CustomStringConvertible {
  case get
  case head
  case post
  case put
  case delete
  case connect
  case options
  case trace
  case patch
  /// A token that is none of the above.
  case other(String)

  /// The method of that spelling; nil if it is no token (RFC 9110 9.1).
  public init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard ByteClass.isToken(bytes) else { return nil }
    self.init(bytes.span.bytes, 0..<bytes.count)
  }

  /// `range` holds a token.
  init(_ bytes: RawSpan, _ range: Range<Int>) {
    let candidate: HTTPMethod? =
      switch (range.count, bytes.byte(range.lowerBound)) {
      case (3, UInt8(ascii: "G")): .get
      case (3, UInt8(ascii: "P")): .put
      case (4, UInt8(ascii: "P")): .post
      case (4, UInt8(ascii: "H")): .head
      case (5, UInt8(ascii: "P")): .patch
      case (5, UInt8(ascii: "T")): .trace
      case (6, UInt8(ascii: "D")): .delete
      case (7, UInt8(ascii: "C")): .connect
      case (7, UInt8(ascii: "O")): .options
      default: nil
      }
    if let candidate, bytes.equals(range, candidate.spelling) {
      self = candidate
    } else {
      self = .other(bytes.text(range))
    }
  }

  public var description: String {
    if case .other(let text) = self { text } else { spelling.description }
  }

  /// The spelling of a known method; empty for `other`.
  var spelling: StaticString {
    switch self {
    case .get: "GET"
    case .head: "HEAD"
    case .post: "POST"
    case .put: "PUT"
    case .delete: "DELETE"
    case .connect: "CONNECT"
    case .options: "OPTIONS"
    case .trace: "TRACE"
    case .patch: "PATCH"
    case .other: ""
    }
  }

  var byteCount: Int {
    if case .other(let text) = self { text.utf8.count } else { spelling.utf8CodeUnitCount }
  }

  /// RFC 9110 9.2.1. An unknown method is not taken for safe.
  public var isSafe: Bool {
    switch self {
    case .get, .head, .options, .trace: true
    case .post, .put, .delete, .connect, .patch, .other: false
    }
  }

  /// RFC 9110 9.2.2: whether a proxy may send the request again by itself. An unknown method is not taken for idempotent.
  public var isIdempotent: Bool {
    switch self {
    case .put, .delete: true
    default: isSafe
    }
  }
}
