import Testing

/// The messages that most tests send.
extension Peer {
  func get(_ path: String = "/", host: String = "a.test", fields: String = "") async {
    await send("GET \(path) HTTP/1.1\r\nHost: \(host)\r\n\(fields)\r\n")
  }

  func post(_ body: String, _ path: String = "/", host: String = "a.test", fields: String = "") async {
    await send("POST \(path) HTTP/1.1\r\nHost: \(host)\r\nContent-Length: \(body.utf8.count)\r\n\(fields)\r\n\(body)")
  }

  /// Answers 200 as an origin.
  func answer(_ body: String = "", fields: String = "") async {
    await send("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\(fields)\r\n\(body)")
  }
}

/// Plays one exchange on both sides: the client gets `path`, the origin answers with it.
@discardableResult
func exchange(_ client: Peer, _ server: Peer, _ path: String = "/") async throws -> Message {
  await client.get(path)
  _ = try await server.request()
  await server.answer(path)
  return try await client.response()
}
