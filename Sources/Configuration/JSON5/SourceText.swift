/// A place in a text; both numbers begin with 1, the column counts Unicode scalars.
struct SourcePosition: Sendable, Hashable {
  let line: Int
  let column: Int
}

/// The bytes of a file and where its lines begin, so that places can be kept as plain offsets and become lines and columns only
/// when there is something to say about them.
struct SourceText: Sendable {
  /// The name of the file as people gave it.
  let name: String
  let bytes: [UInt8]
  private let lineStarts: [Int]

  init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
    var starts = [0]
    for (index, byte) in bytes.enumerated() {
      let endsLine = byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
      let isFirstHalf = byte == UInt8(ascii: "\r") && index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "\n")
      if endsLine && !isFirstHalf { starts.append(index + 1) }
    }
    lineStarts = starts
  }

  /// The line and column of a byte offset; an offset beyond the end is the place after the last byte.
  func position(of offset: Int) -> SourcePosition {
    let end = min(max(offset, 0), bytes.count)
    var low = 0
    var high = lineStarts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if lineStarts[middle] <= end { low = middle } else { high = middle }
    }
    let scalars = bytes[lineStarts[low]..<end].count { $0 & 0xC0 != 0x80 }
    return SourcePosition(line: low + 1, column: scalars + 1)
  }
}
