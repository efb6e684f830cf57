import HTTP
import TLS
import Testing

/// A connection that speaks HTTP/2, as a test holds it: a client of the proxy, or what the proxy opened to an origin.
final class HTTP2Peer: Sendable {
  typealias Heard = HTTP2Wire.Heard

  let peer: Peer

  init(
    _ peer: Peer, _ role: HTTP2Session.Role, _ change: @escaping @Sendable (inout HTTP2Settings) -> Void,
    sourceLocation: SourceLocation
  ) async throws {
    self.peer = peer
    let isRight = await peer.perform { wire in
      var settings = HTTP2Settings()
      change(&settings)
      return wire.session?.negotiated?.alpn == "h2" && (try? HTTP2Wire(wire, role, settings)) != nil
    }
    try #require(isRight, "HTTP/2 was not chosen", sourceLocation: sourceLocation)
  }

  /// Runs `body` on the connection's loop, and sends what came of it.
  @discardableResult
  func perform<T: Sendable>(_ body: @escaping @Sendable (HTTP2Wire) -> T) async throws -> T {
    let result = await peer.perform { wire -> T? in
      guard let http2 = wire.http2 else { return nil }
      defer { http2.flush() }
      return body(http2)
    }
    return try #require(result)
  }

  /// Waits until `isDone`; false: it took too long.
  func wait(_ limit: Duration = Peer.patience, _ isDone: @escaping @Sendable (HTTP2Wire) -> Bool) async -> Bool {
    await peer.wait(limit) { $0.http2.map(isDone) ?? false }
  }

  // MARK: as a client

  /// Sends a request.
  /// - Parameter ends: whether its stream ends with what is given here.
  func request(
    _ method: HTTPMethod = .get, _ path: String = "/", authority: String = "a.test",
    fields: [(String, String)] = [], body: String? = nil, trailers: [(String, String)] = [], ends: Bool = true,
    connectProtocol: String? = nil
  ) async throws -> Int32 {
    let stream = try await perform { http2 in
      let isBare = body == nil && trailers.isEmpty && ends
      let stream = try? http2.session.submitRequest(
        RequestHead(method: method, target: path, fields: HeaderList(fields)), scheme: "https", authority: authority,
        connectProtocol: connectProtocol, framing: isBare ? .none : .chunked, via: nil)
      guard let stream else { return nil as Int32? }
      if let body { Array(body.utf8).withUnsafeBytes { http2.session.write($0, on: stream) } }
      if ends { http2.session.end(stream, trailers: trailers.isEmpty ? nil : HeaderList(trailers)) }
      return stream
    }
    return try #require(stream, "no stream could be opened")
  }

  /// The answer on a stream once its head is there.
  func head(_ stream: Int32, sourceLocation: SourceLocation = #_sourceLocation) async throws -> Heard {
    try await heard(stream, sourceLocation) { $0.response != nil || $0.end != nil }
  }

  /// The answer on a stream once it is complete, or broken.
  func response(_ stream: Int32, sourceLocation: SourceLocation = #_sourceLocation) async throws -> Heard {
    try await heard(stream, sourceLocation) { $0.hasEnded || $0.end != nil }
  }

  func heard(
    _ stream: Int32, _ sourceLocation: SourceLocation, _ isEnough: @escaping @Sendable (Heard) -> Bool
  ) async throws -> Heard {
    let isThere = await wait { isEnough($0[stream]) }
    let heard = try await perform { $0[stream] }
    try #require(isThere, "the stream \(stream) heard only \(heard)", sourceLocation: sourceLocation)
    return heard
  }

  // MARK: as a server

  /// The request that came as number `index`, once it is complete; with `whole` false once its head is there.
  func asked(_ index: Int = 0, whole: Bool = true, sourceLocation: SourceLocation = #_sourceLocation) async throws
    -> (stream: Int32, heard: Heard)
  {
    let isThere = await wait { $0.requests.count > index }
    try #require(isThere, "the request \(index) did not come", sourceLocation: sourceLocation)
    let stream = try await perform { $0.requests[index] }
    return (stream, try await heard(stream, sourceLocation) { !whole || $0.hasEnded || $0.end != nil })
  }

  func inform(_ stream: Int32, _ status: Int, fields: [(String, String)] = []) async throws {
    try await perform {
      $0.session.inform(ResponseHead(status: status, fields: HeaderList(fields)), via: nil, on: stream)
    }
  }

  /// Answers a request.
  /// - Parameter ends: whether its stream ends with what is given here.
  func respond(
    _ stream: Int32, _ status: Int = 200, fields: [(String, String)] = [], body: String = "",
    trailers: [(String, String)] = [], ends: Bool = true
  ) async throws {
    try await perform { http2 in
      let isBare = body.isEmpty && trailers.isEmpty && ends
      http2.session.respond(
        ResponseHead(status: status, fields: HeaderList(fields)), framing: isBare ? .none : .chunked, via: nil,
        on: stream)
      Array(body.utf8).withUnsafeBytes { http2.session.write($0, on: stream) }
      if ends { http2.session.end(stream, trailers: trailers.isEmpty ? nil : HeaderList(trailers)) }
    }
  }

  // MARK: on either side

  func write(_ bytes: [UInt8], on stream: Int32) async throws {
    try await perform { http2 in bytes.withUnsafeBytes { http2.session.write($0, on: stream) } }
  }

  func end(_ stream: Int32) async throws {
    try await perform { $0.session.end(stream) }
  }

  func reset(_ stream: Int32, _ code: HTTP2ErrorCode) async throws {
    try await perform { $0.session.reset(stream, code) }
  }
}

extension HTTP2Wire.Heard {
  var status: Int { response?.head.status ?? 0 }
  var text: String { String(decoding: body, as: UTF8.self) }
  var path: String { request.map { String(decoding: $0.head.target, as: UTF8.self) } ?? "" }

  /// A field of the head.
  subscript(name: String) -> String? {
    (response?.head.fields ?? request?.head.fields)?.first(named: name)
  }
}

extension HeaderList {
  init(_ fields: [(String, String)]) {
    self.init()
    for (name, value) in fields { append(name: name, value: value) }
  }
}
