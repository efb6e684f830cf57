import Bytes

/// Room at the end of a queue for the head of one message, so that its many small pieces are written without asking the queue for
/// room each time.
struct HeadBlock: ~Copyable {
  private let room: UnsafeMutableRawBufferPointer
  private(set) var count = 0

  private init(_ room: UnsafeMutableRawBufferPointer) {
    self.room = room
  }

  /// Appends what `write` writes, at most `byteCount` bytes, to `queue`. Writing more traps: the caller's sum is wrong.
  static func append(upTo byteCount: Int, to queue: ByteQueue, _ write: (inout HeadBlock) -> Void) {
    queue.append(upTo: byteCount) { room in
      var block = HeadBlock(room)
      write(&block)
      return block.count
    }
  }

  @inline(__always)
  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    precondition(bytes.count <= room.count - count)
    guard let source = bytes.baseAddress, let target = room.baseAddress else { return }
    (target + count).copyMemory(from: source, byteCount: bytes.count)
    count += bytes.count
  }

  @inline(__always)
  mutating func append(_ text: StaticString) {
    append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  mutating func append(_ text: String) {
    let isContiguous: Void? = text.utf8.withContiguousStorageIfAvailable { append(UnsafeRawBufferPointer($0)) }
    guard isContiguous == nil else { return }
    var text = text
    text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
  }
}
