/// Reads the lines of a head or a trailer section at the front of a queue, as they arrive; no byte is looked at twice.
///
/// Lines end with CR LF and nothing else (RFC 9112 2.2 lets a recipient be lenient, which is how two of them come to disagree).
struct FieldSection {
  private(set) var scanned = 0
  private var lineStart = 0
  private var entries: [HeaderList.Entry] = []
  /// The bits of the tokens seen so far, and of those seen more than once.
  private(set) var present: UInt64 = 0
  private(set) var repeated: UInt64 = 0

  /// The next complete line without its end; nil if more bytes are needed.
  mutating func nextLine(_ bytes: RawSpan, limit: Int) throws(HTTPFault) -> Range<Int>? {
    guard let end = bytes.lineFeed(from: scanned) else {
      scanned = bytes.byteCount
      guard scanned <= limit else { throw .tooLarge("The head is longer than \(limit) bytes.") }
      return nil
    }
    guard end < limit else { throw .tooLarge("The head is longer than \(limit) bytes.") }
    guard end > lineStart, bytes.byte(end - 1) == ByteClass.carriageReturn else {
      throw .malformed("A line of the head ends with a bare line feed.")
    }
    let line = lineStart..<end - 1
    scanned = end + 1
    lineStart = scanned
    return line
  }

  /// Reads a field line (RFC 9112 5).
  mutating func addField(_ bytes: RawSpan, _ line: Range<Int>, limit: Int) throws(HTTPFault) {
    let colon = bytes.endOfToken(line)
    guard colon > line.lowerBound, colon < line.upperBound, bytes.byte(colon) == UInt8(ascii: ":") else {
      throw Self.nameFault(bytes, line)
    }
    let name = line.lowerBound..<colon
    let value = bytes.trimmed(colon + 1..<line.upperBound)
    guard bytes.isText(value) else {
      throw .malformed("The value of the field \(bytes.text(name)) holds a control byte.")
    }
    guard entries.count < limit else { throw .tooLarge("The head has more than \(limit) fields.") }
    let token = FieldName.recognise(bytes, name)
    if entries.isEmpty { entries.reserveCapacity(16) }
    entries.append(HeaderList.Entry(token: token, name: name, value: value))
    guard token != .other else { return }
    repeated |= present & token.bit
    present |= token.bit
  }

  /// Where the value of the first field of that name is.
  func value(_ token: FieldName) -> Range<Int>? {
    guard present & token.bit != 0 else { return nil }
    return entries.first { $0.token == token }?.value
  }

  /// The list of all fields, which copies the bytes of the whole section. The section is ready for the next one afterwards.
  mutating func finish(_ bytes: RawSpan) -> HeaderList {
    let count = scanned
    let storage = [UInt8](unsafeUninitializedCapacity: count) { room, filled in
      bytes.withUnsafeBytes { UnsafeMutableRawBufferPointer(room).copyMemory(from: .init(rebasing: $0[..<count])) }
      filled = count
    }
    let list = HeaderList(storage: storage, entries: entries, present: present)
    self = FieldSection()
    return list
  }

  /// Forgets an empty line that stood before the section.
  mutating func skipEmptyLine() {
    self = FieldSection()
  }

  private static func nameFault(_ bytes: RawSpan, _ line: Range<Int>) -> HTTPFault {
    if let first = line.first, ByteClass.isBlank(bytes.byte(first)) {
      return .malformed("A field is continued on a second line.")
    }
    return .malformed("A line of the head does not begin with a field name and a colon.")
  }
}
