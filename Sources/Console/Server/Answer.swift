import HTTP
import Records

/// What the console answers. A value: it is made on any thread and written on the loop.
struct Answer: Sendable {
  enum Body: Sendable {
    case bytes([UInt8])
    /// Written piece by piece by a thread that may block.
    case stream(@Sendable (AnswerPipe) throws -> Void)
    /// Nothing: the client has it already (304). As many bytes as it has are told.
    case unchanged(byteCount: Int)
    /// Events until either side ends it.
    case events
  }

  var status: Int
  var contentType: String?
  /// Besides those that every answer has.
  var fields: [(name: String, value: String)] = []
  var body: Body
  /// The value of `Cache-Control`.
  var caching = "no-store"

  init(status: Int, contentType: String? = nil, body: Body = .bytes([])) {
    self.status = status
    self.contentType = contentType
    self.body = body
  }

  static func json(_ bytes: [UInt8], status: Int = 200) -> Answer {
    Answer(status: status, contentType: "application/json", body: .bytes(bytes))
  }

  static func text(_ text: String, status: Int = 200) -> Answer {
    Answer(status: status, contentType: "text/plain; charset=utf-8", body: .bytes(Array(text.utf8)))
  }

  static func page(_ text: String, status: Int = 200) -> Answer {
    Answer(status: status, contentType: "text/html; charset=utf-8", body: .bytes(Array(text.utf8)))
  }

  /// Sends a browser on (303) to a place of our own.
  static func redirect(to place: String) -> Answer {
    Answer(status: 303).with("Location", place)
  }

  func with(_ name: String, _ value: String) -> Answer {
    var answer = self
    answer.fields.append((name, value))
    return answer
  }

  /// The head with what protects every answer: it is kept nowhere (but for files of the page), shown in no frame, loads nothing from
  /// elsewhere, and makes no markup out of text (Trusted Types).
  /// - Parameter seconds: since 1970, for `Date`.
  func head(at seconds: Int64) -> ResponseHead {
    var list = HeaderList()
    list.append(.date, HTTPDate.text(seconds))
    if let contentType { list.append(.contentType, contentType) }
    list.append(name: "Cache-Control", value: caching)
    for (name, value) in Self.protection + fields { list.append(name: name, value: value) }
    return ResponseHead(status: status, fields: list)
  }

  private static let protection: [(name: String, value: String)] = [
    (
      "Content-Security-Policy",
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; "
        + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
    ),
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"),
    // With `no-referrer` browsers would send `Origin: null` with the forms of our own pages.
    ("Referrer-Policy", "same-origin"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
  ]
}
