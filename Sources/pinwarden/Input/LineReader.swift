import Glibc

/// Lines of standard input, one at a time as they come, so that a program can ask and wait for the answer.
final class LineReader {
  private static let maximumByteCount = 1 << 20

  private let descriptor: Int32
  private var pending: [UInt8] = []
  private var start = 0
  private var hasEnded = false

  init(descriptor: Int32 = STDIN_FILENO) {
    self.descriptor = descriptor
  }

  /// The next line without its line feed; nil at the end.
  func next() throws(CommandFault) -> [UInt8]? {
    var searched = start
    while true {
      if let end = pending[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        defer { start = end + 1 }
        return Array(pending[start..<end])
      }
      if hasEnded {
        defer { start = pending.count }
        return start < pending.count ? Array(pending[start...]) : nil
      }
      pending.removeFirst(start)
      start = 0
      searched = pending.count
      guard pending.count <= Self.maximumByteCount else { throw .failed(.unreadable, "a line is longer than 1 MiB") }
      try fill()
    }
  }

  private func fill() throws(CommandFault) {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = read(descriptor, &buffer, buffer.count)
    if count > 0 {
      pending.append(contentsOf: buffer.prefix(count))
    } else if count == 0 {
      hasEnded = true
    } else if errno != EINTR {
      throw .failed(.unreadable, "cannot read standard input: \(String(cString: strerror(errno)))")
    }
  }
}
