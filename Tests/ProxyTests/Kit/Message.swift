/// An HTTP/1 message as it was on the wire, read by a small reader of the tests' own.
struct Message: Sendable {
  enum Kind: Sendable {
    case request
    case response(to: String)
    /// The head alone; a body is left where it is.
    case headOnly
  }

  let startLine: String
  /// In order, as spelt.
  let fields: [(name: String, value: String)]
  /// Without chunks.
  var body: [UInt8] = []
  var trailers: [(name: String, value: String)] = []
  /// False: the connection ended inside it.
  var isComplete = true

  var text: String { String(decoding: body, as: UTF8.self) }
  var status: Int { Int(startLine.split(separator: " ").dropFirst().first ?? "") ?? 0 }

  /// The value of the first field of that name.
  subscript(name: String) -> String? {
    fields.first { $0.name.lowercased() == name.lowercased() }?.value
  }

  /// All field names in order.
  var names: [String] { fields.map(\.name) }

  /// Reads one message from the start of `bytes`; nil: more must come.
  static func read(_ bytes: UnsafeRawBufferPointer, _ kind: Kind, isEnd: Bool) -> (message: Message, byteCount: Int)? {
    guard let headCount = end(of: bytes, from: 0) else { return nil }
    let lines = String(decoding: bytes[..<(headCount - 4)], as: UTF8.self).split(
      separator: "\r\n", omittingEmptySubsequences: false)
    var message = Message(startLine: String(lines.first ?? ""), fields: fields(lines.dropFirst()))
    let framing = message["Transfer-Encoding"]?.lowercased()
    let length = message["Content-Length"].flatMap { Int($0) }
    switch kind {
    case .headOnly: return (message, headCount)
    case .response(let method):
      if method == "HEAD" || message.status < 200 || [204, 304].contains(message.status)
        || (method == "CONNECT" && message.status < 300)
      {
        return (message, headCount)
      }
      if framing == nil, length == nil {
        guard isEnd else { return nil }
        message.body = Array(bytes[headCount...])
        return (message, bytes.count)
      }
    case .request: break
    }
    if framing == "chunked" { return readChunks(bytes, from: headCount, message, isEnd: isEnd) }
    let wanted = headCount + (length ?? 0)
    guard bytes.count >= wanted || isEnd else { return nil }
    message.isComplete = bytes.count >= wanted
    message.body = Array(bytes[headCount..<min(wanted, bytes.count)])
    return (message, min(wanted, bytes.count))
  }

  private static func readChunks(
    _ bytes: UnsafeRawBufferPointer, from start: Int, _ head: Message, isEnd: Bool
  ) -> (message: Message, byteCount: Int)? {
    var message = head
    var position = start
    func incomplete() -> (message: Message, byteCount: Int)? {
      guard isEnd else { return nil }
      message.isComplete = false
      return (message, bytes.count)
    }
    while true {
      guard let lineEnd = line(of: bytes, from: position) else { return incomplete() }
      let text = String(decoding: bytes[position..<lineEnd], as: UTF8.self).split(separator: ";").first ?? ""
      guard let size = Int(text, radix: 16) else { return incomplete() }
      position = lineEnd + 2
      if size == 0 { break }
      guard bytes.count >= position + size + 2 else { return incomplete() }
      message.body += bytes[position..<(position + size)]
      position += size + 2
    }
    var trailers: [Substring] = []
    while true {
      guard let lineEnd = line(of: bytes, from: position) else { return incomplete() }
      let text = String(decoding: bytes[position..<lineEnd], as: UTF8.self)
      position = lineEnd + 2
      if text.isEmpty { break }
      trailers.append(text[...])
    }
    message.trailers = fields(trailers[...])
    return (message, position)
  }

  private static func fields(_ lines: ArraySlice<Substring>) -> [(name: String, value: String)] {
    lines.compactMap { line in
      guard let colon = line.firstIndex(of: ":") else { return nil }
      return (String(line[..<colon]), String(line[line.index(after: colon)...].drop { $0 == " " }))
    }
  }

  private static func line(of bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
    var index = start
    while index + 1 < bytes.count {
      if bytes[index] == 13, bytes[index + 1] == 10 { return index }
      index += 1
    }
    return nil
  }

  private static func end(of bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
    var index = start
    while let found = line(of: bytes, from: index) {
      if found + 3 < bytes.count, bytes[found + 2] == 13, bytes[found + 3] == 10 { return found + 4 }
      index = found + 2
    }
    return nil
  }
}
