import Configuration
import EventLoop
import Names
import Testing

@testable import Console

/// A console on a free port of loopback, over a daemon that does not exist.
struct TestConsole {
  let server: ConsoleServer
  let control: FakeControl
  let address: SocketAddress

  init(_ control: FakeControl = FakeControl(), page: PageFiles = Kit.page) throws {
    self.control = control
    server = try ConsoleServer(control: control, log: Kit.silentLog, version: "1", page: page)
    let opening = try ConsoleOpening(.tcp(.v4(0x7F00_0001), 0)) { _ in nil }
    address = opening.address
    server.open(opening, Kit.credentials)
  }

  func connect() async throws -> Client { try await Client.connect(address) }

  /// The text of a request, with the token.
  func text(
    _ method: String = "GET", _ target: String, _ fields: [String] = [], body: String? = nil,
    authorization: String? = "Bearer \(Kit.token)"
  ) -> String {
    var lines = ["\(method) \(target) HTTP/1.1", "Host: \(address)"] + fields
    if let authorization { lines.append("Authorization: \(authorization)") }
    if let body { lines.append("Content-Length: \(body.utf8.count)") }
    return lines.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? "")
  }

  /// One request on a connection of its own.
  func ask(_ method: String = "GET", _ target: String, _ fields: [String] = [], body: String? = nil) async throws
    -> Response
  {
    let client = try await connect()
    await client.send(text(method, target, fields, body: body))
    let response = try await client.response(to: method)
    await client.close()
    return response
  }

  /// Ends it.
  func end() async { await server.drain(.milliseconds(50)) }
}
