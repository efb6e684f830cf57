/// The text of server-sent events (WHATWG HTML, section 9.2).
enum EventText {
  /// How long a browser waits before it asks again.
  static let opening = Array("retry: 2000\n\n".utf8)
  /// A comment.
  static let heartbeat = Array(":\n\n".utf8)

  /// - Parameter record: one JSON object without a line end.
  static func exchange(_ record: [UInt8]) -> [UInt8] {
    var text = Array("event: exchange\n".utf8)
    if let identifier = JSONObjectText(record).text("id") { text += Array("id: \(identifier)\n".utf8) }
    text += Array("data: ".utf8)
    text += record
    text += Array("\n\n".utf8)
    return text
  }

  /// So many events were not sent, because the client did not take those before them in time.
  static func lost(_ count: Int) -> [UInt8] {
    Array("event: lost\ndata: {\"count\":\(count)}\n\n".utf8)
  }
}
