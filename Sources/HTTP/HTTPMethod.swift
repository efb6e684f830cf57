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
    let known = bytes.withUnsafeBytes { all -> HTTPMethod? in
      let text = all[range]
      switch range.count {
      case 3: return text.elementsEqual("GET".utf8) ? .get : text.elementsEqual("PUT".utf8) ? .put : nil
      case 4: return text.elementsEqual("POST".utf8) ? .post : text.elementsEqual("HEAD".utf8) ? .head : nil
      case 5: return text.elementsEqual("PATCH".utf8) ? .patch : text.elementsEqual("TRACE".utf8) ? .trace : nil
      case 6: return text.elementsEqual("DELETE".utf8) ? .delete : nil
      case 7:
        return text.elementsEqual("CONNECT".utf8) ? .connect : text.elementsEqual("OPTIONS".utf8) ? .options : nil
      default: return nil
      }
    }
    self = known ?? .other(bytes.text(range))
  }

  public var description: String {
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
    case .other(let text): text
    }
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
