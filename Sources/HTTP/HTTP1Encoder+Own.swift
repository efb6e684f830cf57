import Bytes

extension HTTP1Encoder {
  /// Writes the head of a response that this proxy makes itself: the fields as they are, and the framing.
  ///
  /// - Parameter byteCount: the length of the body that follows, or that a response to HEAD stands for.
  public static func writeOwnResponse(
    _ head: ResponseHead, byteCount: Int, persistence: Persistence, into queue: ByteQueue
  ) {
    queue.append("HTTP/1.1 \(head.status) ")
    head.reason.withUnsafeBytes { queue.append($0) }
    head.fields.forEach { _, name, value in
      queue.append("\r\n")
      queue.append(name)
      queue.append(": ")
      queue.append(value)
    }
    queue.append("\r\nContent-Length: \(byteCount)\r\n")
    if persistence == .closes { queue.append("Connection: close\r\n") }
    queue.append("\r\n")
  }
}
