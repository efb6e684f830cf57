import Bytes

/// Body bytes of an HTTP/2 stream on their way to the other leg: what waits because that leg does not take it, and how much of the
/// window is owed to the peer. Bounded by the window.
struct InboundBody {
  private var waiting: ByteQueue?
  private var owed = 0
  private static let pieceByteCount = 64 << 10

  var isEmpty: Bool { waiting?.isEmpty ?? true }

  /// The other leg does not take bytes now.
  mutating func keep(_ bytes: UnsafeRawBufferPointer) {
    let queue = waiting ?? ByteQueue()
    queue.append(bytes)
    waiting = queue
  }

  /// Bytes went on at once.
  mutating func passed(_ count: Int) {
    owed += count
  }

  /// Passes the next piece of what waits.
  mutating func passOne(_ pass: (UnsafeRawBufferPointer) -> Void) {
    guard let waiting else { return }
    let count = min(waiting.count, Self.pieceByteCount)
    pass(UnsafeRawBufferPointer(rebasing: waiting.bytes[..<count]))
    waiting.consume(count)
    owed += count
    waiting.releaseIfEmpty()
  }

  /// How many bytes the window may grow by; then nothing is owed.
  mutating func takeOwed() -> Int {
    defer { owed = 0 }
    return owed
  }
}
