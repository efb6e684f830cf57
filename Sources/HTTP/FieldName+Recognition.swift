extension FieldName {
  /// The token of a name in any case.
  public init(_ name: String) {
    self = Self.recognise(Array(name.utf8))
  }

  static func recognise(_ name: [UInt8]) -> FieldName {
    ByteClass.isToken(name) ? recognise(name.span.bytes, 0..<name.count) : .other
  }

  /// The token of the name in `range`, whose bytes are all `tchar` (so that folding the case by one bit cannot confuse two).
  static func recognise(_ bytes: RawSpan, _ range: Range<Int>) -> FieldName {
    guard range.count >= 2, range.count <= longest else { return .other }
    let table = Self.table
    var slot = hash(range.count, bytes.byte(range.lowerBound), bytes.byte(range.upperBound - 1))
    while true {
      guard let candidate = FieldName(rawValue: table[slot]), candidate != .other else { return .other }
      if bytes.equals(range, foldedTo: candidate.spelling) { return candidate }
      slot = (slot + 1) & (slotCount - 1)
    }
  }

  private static let longest = 25
  private static let slotCount = 256

  /// Length, first and last byte tell nearly all names apart.
  @inline(__always)
  private static func hash(_ count: Int, _ first: UInt8, _ last: UInt8) -> Int {
    (count &* 37 &+ Int(first | 0x20) &* 11 &+ Int(last | 0x20) &* 5) & (slotCount - 1)
  }

  /// Open addressing: raw values at the slot of their hash or the next free one; a quarter full, so that searches end soon.
  private static let table: [UInt8] = {
    var table = [UInt8](repeating: 0, count: slotCount)
    for name in allCases where name != .other {
      let text = name.spelling
      var slot = text.withUTF8Buffer { hash($0.count, $0[0], $0[$0.count - 1]) }
      while table[slot] != 0 { slot = (slot + 1) & (slotCount - 1) }
      table[slot] = name.rawValue
    }
    return table
  }()
}

extension RawSpan {
  /// Whether the `tchar` bytes of `range` are `text` but for the case of letters. Eight at a time; the last eight may overlap the
  /// ones before.
  @inline(__always)
  fileprivate func equals(_ range: Range<Int>, foldedTo text: StaticString) -> Bool {
    let count = range.count
    guard text.utf8CodeUnitCount == count else { return false }
    require(range)
    let start = range.lowerBound
    let text = UnsafeRawPointer(text.utf8Start)
    guard count >= 8 else {
      for offset in 0..<count
      where uncheckedByte(start + offset) | 0x20 != text.load(fromByteOffset: offset, as: UInt8.self) | 0x20 {
        return false
      }
      return true
    }
    var offset = 0
    while true {
      let wanted = text.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      guard (uncheckedWord(start + offset) ^ wanted) & 0xDFDF_DFDF_DFDF_DFDF == 0 else { return false }
      guard offset < count - 8 else { return true }
      offset = min(offset + 8, count - 8)
    }
  }
}
