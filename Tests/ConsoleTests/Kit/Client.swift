import Bytes
import EventLoop
import Glibc
import Testing

/// A client of the console on loopback.
final class Client: Sendable {
  /// Clients of all tests live on it.
  private static let loop = Result { () throws(SystemError) in try EventLoop.start(count: 1, name: "tests") }

  private let wire: LoopBound<ClientWire>

  private init(_ wire: LoopBound<ClientWire>) {
    self.wire = wire
  }

  static func connect(_ address: SocketAddress) async throws -> Client {
    let loop = try #require(try loop.get().first)
    let result: Result<LoopBound<ClientWire>, DialFault> = await withCheckedContinuation { continuation in
      loop.submit {
        Dialer.dial([address], on: loop) { outcome in
          continuation.resume(returning: outcome.map { LoopBound(ClientWire($0), on: loop) })
        }
      }
    }
    return Client(try result.get())
  }

  @discardableResult
  func perform<T: Sendable>(_ body: @escaping @Sendable (ClientWire) -> T) async -> T {
    await withCheckedContinuation { continuation in wire.onLoop { continuation.resume(returning: body($0)) } }
  }

  func send(_ text: String) async {
    await perform { $0.send(Array(text.utf8)) }
  }

  /// Ends the output.
  func finish() async {
    await perform { $0.socket.shutdownWrite() }
  }

  func close() async {
    await perform { $0.socket.close() }
  }

  /// Waits until it is so; false: it took too long.
  func wait(_ isDone: @escaping @Sendable (ClientWire) -> Bool) async -> Bool {
    await withCheckedContinuation { continuation in
      wire.onLoop { $0.wait(isDone) { continuation.resume(returning: $0) } }
    }
  }

  /// Waits until what has come contains `text`, and takes all that has come. nil: it did not come.
  func text(with text: String) async -> String? {
    let wanted = Array(text.utf8)
    guard await wait({ $0.holds(wanted) || $0.hasEnded }) else { return nil }
    let all = await perform { $0.takeAll() }
    return all.contains(text) ? all : nil
  }

  /// Whether the other side ends the connection.
  func ends() async -> Bool {
    await wait { $0.hasEnded }
  }

  /// The next response. - Parameter kind: `HEAD` for one without its body.
  func response(to method: String = "GET", sourceLocation: SourceLocation = #_sourceLocation) async throws -> Response {
    _ = await wait { Response.read($0.received.bytes, method, isEnd: $0.hasEnded) != nil || $0.hasEnded }
    let found = await perform { wire in
      let result = Response.read(wire.received.bytes, method, isEnd: wire.hasEnded)
      if let result { wire.received.consume(result.byteCount) }
      return result?.response
    }
    return try #require(found, "no response came", sourceLocation: sourceLocation)
  }
}

/// A response as it was on the wire, read by a small reader of the tests' own.
struct Response: Sendable {
  let status: Int
  let head: String
  var body = ""

  subscript(name: String) -> String? {
    head.split(separator: "\r\n").first { $0.lowercased().hasPrefix(name.lowercased() + ":") }
      .map { $0.dropFirst(name.count + 1).trimmingPrefix(" ") }.map { String($0) }
  }

  /// nil: more must come.
  static func read(_ bytes: UnsafeRawBufferPointer, _ method: String, isEnd: Bool) -> (
    response: Response, byteCount: Int
  )? {
    let all = Array(bytes)
    guard let end = all.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
    let head = String(decoding: all[..<end.lowerBound], as: UTF8.self)
    var response = Response(status: Int(head.dropFirst(9).prefix(3)) ?? 0, head: head)
    if method == "HEAD" || response.status < 200 || response.status == 304 { return (response, end.upperBound) }
    if response["Transfer-Encoding"] == "chunked" { return chunks(all, end.upperBound, response) }
    guard let length = response["Content-Length"].flatMap({ Int($0) }) else {
      response.body = String(decoding: all[end.upperBound...], as: UTF8.self)
      return isEnd ? (response, all.count) : nil
    }
    guard all.count >= end.upperBound + length else { return nil }
    response.body = String(decoding: all[end.upperBound..<end.upperBound + length], as: UTF8.self)
    return (response, end.upperBound + length)
  }

  private static func chunks(_ all: [UInt8], _ start: Int, _ response: Response) -> (Response, Int)? {
    var response = response
    var body: [UInt8] = []
    var index = start
    while let end = all[index...].firstRange(of: Array("\r\n".utf8)),
      let size = Int(String(decoding: all[index..<end.lowerBound], as: UTF8.self), radix: 16),
      all.count >= end.upperBound + size + 2
    {
      body += all[end.upperBound..<end.upperBound + size]
      index = end.upperBound + size + 2
      guard size == 0 else { continue }
      response.body = String(decoding: body, as: UTF8.self)
      return (response, index)
    }
    return nil
  }
}
