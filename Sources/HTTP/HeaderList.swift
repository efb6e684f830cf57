/// The fields of a head or of a trailer section: order, duplicates and spelling as on the wire.
///
/// All bytes stand in one block, which a head shares with its target or reason; a field is four offsets and a token. What is in
/// the list is well-formed: names are tokens, values hold no control byte but tabs and have no blanks at their ends.
public struct HeaderList: Sendable {
  struct Entry: Sendable {
    var token: FieldName
    var nameStart: UInt32
    var nameEnd: UInt32
    var valueStart: UInt32
    var valueEnd: UInt32

    var name: Range<Int> { Int(nameStart)..<Int(nameEnd) }
    var value: Range<Int> { Int(valueStart)..<Int(valueEnd) }
  }

  /// One field; the slices share the list's memory.
  public struct Field: Sendable {
    public let token: FieldName
    public let name: ArraySlice<UInt8>
    public let value: ArraySlice<UInt8>
  }

  var storage: [UInt8]
  var entries: [Entry]
  /// The bits of the tokens that occur.
  var present: UInt64

  public init() {
    self.init(storage: [], entries: [], present: 0)
  }

  init(storage: [UInt8], entries: [Entry], present: UInt64) {
    self.storage = storage
    self.entries = entries
    self.present = present
  }

  public var count: Int { entries.count }

  public var isEmpty: Bool { entries.isEmpty }

  /// The field at `index`, from 0 to `count` - 1.
  public subscript(index: Int) -> Field {
    let entry = entries[index]
    return Field(token: entry.token, name: storage[entry.name], value: storage[entry.value])
  }

  /// Calls `body` with each field in order. The pointers are valid during the call.
  public func forEach<Fault: Error>(
    _ body: (_ token: FieldName, _ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws(Fault) -> Void
  ) throws(Fault) {
    let bytes = storage.span.bytes
    for entry in entries {
      let name = bytes.extracting(entry.name)
      let value = bytes.extracting(entry.value)
      try name.withUnsafeBytes { (name) throws(Fault) in
        try value.withUnsafeBytes { (value) throws(Fault) in try body(entry.token, name, value) }
      }
    }
  }
}

extension HeaderList: Equatable {
  /// Whether both hold the same names, spelt alike, with the same values in the same order.
  public static func == (left: HeaderList, right: HeaderList) -> Bool {
    left.count == right.count
      && zip(left.entries, right.entries).allSatisfy { one, other in
        left.storage[one.name] == right.storage[other.name] && left.storage[one.value] == right.storage[other.value]
      }
  }
}

extension HeaderList: CustomStringConvertible {
  /// The fields as lines, for tests and for people.
  public var description: String {
    (0..<count).map { index in
      let field = self[index]
      return "\(String(decoding: field.name, as: UTF8.self)): \(String(decoding: field.value, as: UTF8.self))"
    }.joined(separator: "\n")
  }
}
