import HTTP
import Testing

/// A side of an exchange in either protocol, for tests that must hold for all combinations.
enum EitherPeer {
  case http1(Peer)
  case http2(HTTP2Peer)

  enum Spoken: String, Sendable, CaseIterable { case http1, http2 }

  var isHTTP2: Bool { if case .http2 = self { true } else { false } }

  /// What a message says, whatever it was written in. Names are in lower case.
  struct Said: Sendable {
    var method = ""
    var path = ""
    var status = 0
    var informational: [Int] = []
    var fields: [String: String] = [:]
    var text = ""
    var trailers: [String: String] = [:]
  }

  // MARK: as a client

  /// Sends a request; one with trailers has a body of unknown length.
  /// - Returns: what `answer` wants to know.
  func ask(
    _ method: String, _ path: String = "/", fields: [(String, String)] = [], body: String? = nil,
    trailers: [(String, String)] = []
  ) async throws -> Question {
    switch self {
    case .http1(let peer):
      var text = "\(method) \(path) HTTP/1.1\r\nHost: a.test\r\n" + Self.lines(fields)
      if !trailers.isEmpty {
        text += "Transfer-Encoding: chunked\r\n\r\n" + Self.chunks(body ?? "", trailers)
      } else if let body {
        text += "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
      } else {
        text += "\r\n"
      }
      await peer.send(text)
      return Question(method: method, stream: 0)
    case .http2(let peer):
      let stream = try await peer.request(
        try #require(Self.methods[method]), path, fields: fields, body: body, trailers: trailers)
      return Question(method: method, stream: stream)
    }
  }

  struct Question {
    let method: String
    let stream: Int32
  }

  private static let methods: [String: HTTPMethod] = ["GET": .get, "POST": .post, "HEAD": .head, "PUT": .put]

  /// The final answer, with the statuses of the interim ones.
  func answer(_ question: Question, sourceLocation: SourceLocation = #_sourceLocation) async throws -> Said {
    switch self {
    case .http1(let peer):
      var informational: [Int] = []
      while true {
        let message = try await peer.response(to: question.method, sourceLocation: sourceLocation)
        guard message.status < 200 else {
          var said = Said(message)
          said.status = message.status
          said.informational = informational
          return said
        }
        informational.append(message.status)
      }
    case .http2(let peer):
      let heard = try await peer.response(question.stream, sourceLocation: sourceLocation)
      var said = Said(heard, heard.response?.head.fields)
      said.status = heard.status
      said.informational = heard.informational.map(\.status)
      return said
    }
  }

  // MARK: as an origin

  /// The request that came as number `index`; those before it must have been taken.
  func asked(_ index: Int = 0, sourceLocation: SourceLocation = #_sourceLocation) async throws -> (Int32, Said) {
    switch self {
    case .http1(let peer):
      let message = try await peer.request(sourceLocation: sourceLocation)
      var said = Said(message)
      let words = message.startLine.split(separator: " ")
      said.method = String(words.first ?? "")
      said.path = String(words.dropFirst().first ?? "")
      return (0, said)
    case .http2(let peer):
      let (stream, heard) = try await peer.asked(index, sourceLocation: sourceLocation)
      var said = Said(heard, heard.request?.head.fields)
      said.method = heard.request?.head.method.description ?? ""
      said.path = heard.path
      return (stream, said)
    }
  }

  /// Answers; without a body there is none at all.
  func answer(
    _ stream: Int32, _ status: Int = 200, informing: [Int] = [], fields: [(String, String)] = [], body: String? = nil,
    trailers: [(String, String)] = []
  ) async throws {
    switch self {
    case .http1(let peer):
      var text = informing.map { "HTTP/1.1 \($0) Wait\r\nLink: </a>\r\n\r\n" }.joined()
      text += "HTTP/1.1 \(status) Fine\r\n" + Self.lines(fields)
      if !trailers.isEmpty {
        text += "Transfer-Encoding: chunked\r\n\r\n" + Self.chunks(body ?? "", trailers)
      } else if let body {
        text += "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
      } else {
        text += "\r\n"
      }
      await peer.send(text)
    case .http2(let peer):
      for status in informing { try await peer.inform(stream, status, fields: [("link", "</a>")]) }
      try await peer.respond(stream, status, fields: fields, body: body ?? "", trailers: trailers)
    }
  }

  private static func lines(_ fields: [(String, String)]) -> String {
    fields.map { "\($0.0): \($0.1)\r\n" }.joined()
  }

  private static func chunks(_ body: String, _ trailers: [(String, String)]) -> String {
    let size = String(body.utf8.count, radix: 16)
    return (body.isEmpty ? "" : "\(size)\r\n\(body)\r\n") + "0\r\n" + lines(trailers) + "\r\n"
  }
}

extension EitherPeer.Said {
  init(_ message: Message) {
    fields = Self.table(message.fields)
    text = message.text
    trailers = Self.table(message.trailers)
  }

  init(_ heard: HTTP2Wire.Heard, _ fields: HeaderList?) {
    self.fields = Self.table(fields)
    text = heard.text
    trailers = Self.table(heard.trailers)
  }

  private static func table(_ fields: [(name: String, value: String)]) -> [String: String] {
    Dictionary(fields.map { ($0.name.lowercased(), $0.value) }) { "\($0) + \($1)" }
  }

  private static func table(_ list: HeaderList?) -> [String: String] {
    guard let list else { return [:] }
    return table(
      (0..<list.count).map {
        (String(decoding: list[$0].name, as: UTF8.self), String(decoding: list[$0].value, as: UTF8.self))
      })
  }
}

extension TestProxy {
  func client(_ spoken: EitherPeer.Spoken) async throws -> EitherPeer {
    switch spoken {
    case .http1: .http1(try await secured())
    case .http2: .http2(try await http2())
    }
  }
}

extension Origin {
  static func speaking(_ spoken: EitherPeer.Spoken) throws -> Origin {
    try spoken == .http2 ? http2() : tls()
  }

  func accept(_ spoken: EitherPeer.Spoken) async throws -> EitherPeer {
    switch spoken {
    case .http1: .http1(try await accept())
    case .http2: .http2(try await acceptHTTP2())
    }
  }
}
