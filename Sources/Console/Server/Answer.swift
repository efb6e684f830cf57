import HTTP
import Records

/// What the console answers. A value: it is made on any thread and written on the loop.
struct Answer: Sendable {
  enum Body: Sendable {
    case bytes([UInt8])
    /// Written piece by piece by a thread that may block.
    case stream(@Sendable (AnswerPipe) throws -> Void)
    /// Events until either side ends it.
    case events
  }

  var status: Int
  var contentType: String?
  /// Besides those that every answer has.
  var fields: [(name: String, value: String)] = []
  var body: Body

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

  /// The head with what protects every answer: it is kept nowhere, shown in no frame, and loads nothing from elsewhere.
  /// - Parameter seconds: since 1970, for `Date`.
  func head(at seconds: Int64) -> ResponseHead {
    var list = HeaderList()
    list.append(.date, HTTPDate.text(seconds))
    if let contentType { list.append(.contentType, contentType) }
    for (name, value) in Self.protection + fields { list.append(name: name, value: value) }
    return ResponseHead(status: status, fields: list)
  }

  private static let protection: [(name: String, value: String)] = [
    ("Cache-Control", "no-store"),
    (
      "Content-Security-Policy",
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
  ]
}
