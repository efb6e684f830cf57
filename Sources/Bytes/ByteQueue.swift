/// A first-in, first-out queue of bytes in one growable block of memory.
///
/// Owned by one connection and confined to its loop. The bytes stay contiguous, so that a parser can look at the front without
/// copying and one `send` can take all of them. An empty queue gives its memory back when told to (`releaseIfEmpty`), so idle
/// connections hold none.
public final class ByteQueue {
  // No access to these overlaps another: the queue is confined to one thread and no method calls back while it changes them.
  @exclusivity(unchecked) @usableFromInline internal var base: UnsafeMutableRawPointer?
  @exclusivity(unchecked) @usableFromInline internal var capacity = 0
  @exclusivity(unchecked) @usableFromInline internal var head = 0
  @exclusivity(unchecked) @usableFromInline internal var tail = 0

  public init() {}

  deinit {
    base?.deallocate()
  }

  /// Bytes that are waiting.
  @inlinable public var count: Int { tail - head }

  @inlinable public var isEmpty: Bool { tail == head }

  /// All waiting bytes. Valid until the next change of the queue.
  @inlinable public var bytes: UnsafeRawBufferPointer {
    guard let base else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    return UnsafeRawBufferPointer(start: base + head, count: tail - head)
  }

  /// The byte at `index` from the front; nil behind the end.
  @inlinable public func byte(at index: Int) -> UInt8? {
    guard let base, index >= 0, index < count else { return nil }
    return base.load(fromByteOffset: head + index, as: UInt8.self)
  }

  @inlinable public func append(_ bytes: UnsafeRawBufferPointer) {
    guard let source = bytes.baseAddress, bytes.count > 0 else { return }
    reserve(bytes.count).copyMemory(from: source, byteCount: bytes.count)
    tail += bytes.count
  }

  @inlinable public func append(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { append($0) }
  }

  @inlinable public func append(_ text: StaticString) {
    append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Appends the UTF-8 of `text`.
  @inlinable public func append(_ text: String) {
    var text = text
    text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
  }

  @inlinable public func append(_ byte: UInt8) {
    reserve(1).storeBytes(of: byte, as: UInt8.self)
    tail += 1
  }

  /// Room for at least `count` bytes behind the last one; what `fill` writes there (its result: how many) becomes part of the queue.
  @inlinable public func append(
    upTo count: Int, _ fill: (UnsafeMutableRawBufferPointer) -> Int
  ) {
    let room = reserve(count)
    let filled = fill(UnsafeMutableRawBufferPointer(start: room, count: count))
    tail += max(0, min(filled, count))
  }

  /// Takes `count` bytes (at most all) off the front.
  @inlinable public func consume(_ count: Int) {
    head += max(0, min(count, tail - head))
    if head == tail {
      head = 0
      tail = 0
    }
  }

  /// Moves `count` bytes (at most all) from the front of this queue to the end of `other`.
  @inlinable public func move(_ count: Int, to other: ByteQueue) {
    let count = max(0, min(count, self.count))
    other.append(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
    consume(count)
  }

  /// Forgets all bytes.
  @inlinable public func removeAll() {
    head = 0
    tail = 0
  }

  /// Gives the memory back if nothing is waiting.
  public func releaseIfEmpty() {
    guard isEmpty, base != nil else { return }
    base?.deallocate()
    base = nil
    capacity = 0
  }

  /// A pointer to room for `count` bytes behind the last one.
  @inlinable internal func reserve(_ count: Int) -> UnsafeMutableRawPointer {
    if let base, capacity - tail >= count { return base + tail }
    return makeRoom(count)
  }

  /// Moves the bytes to the front of the block if that frees at least half of it, else to a block at least twice as large.
  @usableFromInline internal func makeRoom(_ count: Int) -> UnsafeMutableRawPointer {
    let used = tail - head
    if let base, head >= capacity / 2, capacity - used >= count {
      base.copyMemory(from: base + head, byteCount: used)
      head = 0
      tail = used
      return base + tail
    }
    let grown = max(used + count, capacity * 2, 512)
    let block = UnsafeMutableRawPointer.allocate(byteCount: grown, alignment: 16)
    if let base {
      block.copyMemory(from: base + head, byteCount: used)
      base.deallocate()
    }
    base = block
    capacity = grown
    head = 0
    tail = used
    return block + tail
  }
}
