/// Finds the pieces of the first handshake message in a run of TLS records (RFC 8446 section 5.1).
internal struct HelloGathering {
  internal enum Outcome { case needMore, complete, notTLS }

  private static let handshake: UInt8 = 22
  private static let clientHello: UInt8 = 1
  private static let headerByteCount = 4
  private static let maximumFragment = 16_384

  /// Where the pieces of the message lie, its header included.
  private var fragments: [Range<Int>] = []
  private var gathered = 0
  /// The first bytes of the message, shifted together: its type and length.
  private var header: UInt32 = 0
  /// The length of the message with its header, once that is known.
  private var messageByteCount: Int?

  internal init() {}

  /// Looks at record headers only, so that it costs little to begin again when more has come.
  internal mutating func walk(_ bytes: UnsafeRawBufferPointer) -> Outcome {
    var offset = 0
    while offset < bytes.count {
      guard fragments.count < ClientHello.maximumRecordCount else { return .notTLS }
      let record = UnsafeRawBufferPointer(rebasing: bytes[offset...])
      guard Self.canBegin(record) else { return .notTLS }
      guard record.count >= 5 else { return .needMore }
      let length = Int(record[3]) << 8 | Int(record[4])
      guard (1...Self.maximumFragment).contains(length) else { return .notTLS }
      let start = offset + 5
      guard take(start..<min(start + length, bytes.count), of: bytes) else { return .notTLS }
      if let messageByteCount, gathered >= messageByteCount { return .complete }
      offset = start + length
    }
    return .needMore
  }

  /// Gives `body` the message without its header, in one piece. Call it after `walk` said `.complete`.
  internal func withMessage<Result>(
    _ bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result {
    let wanted = Self.headerByteCount..<(messageByteCount ?? Self.headerByteCount)
    if fragments.count == 1, let only = fragments.first {
      return body(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(rebasing: bytes[only])[wanted]))
    }
    var message: [UInt8] = []
    message.reserveCapacity(gathered)
    for fragment in fragments { message.append(contentsOf: bytes[fragment]) }
    return message.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[wanted])) }
  }

  /// Whether a record of a handshake can begin with these bytes, of which there is at least one.
  private static func canBegin(_ record: UnsafeRawBufferPointer) -> Bool {
    guard record[0] == handshake else { return false }
    guard record.count > 1 else { return true }
    guard record[1] == 3 else { return false }
    return record.count == 2 || record[2] <= 4
  }

  /// False if the message cannot be a hello of an accepted size.
  private mutating func take(_ fragment: Range<Int>, of bytes: UnsafeRawBufferPointer) -> Bool {
    for index in fragment.prefix(max(0, Self.headerByteCount - gathered)) {
      header = header << 8 | UInt32(bytes[index])
    }
    let had = gathered
    gathered += fragment.count
    if !fragment.isEmpty { fragments.append(fragment) }
    if had == 0, !fragment.isEmpty, bytes[fragment.lowerBound] != Self.clientHello { return false }
    if messageByteCount == nil, gathered >= Self.headerByteCount {
      let length = Int(header & 0xFF_FFFF)
      guard length <= ClientHello.maximumByteCount else { return false }
      messageByteCount = length + Self.headerByteCount
    }
    return true
  }
}
