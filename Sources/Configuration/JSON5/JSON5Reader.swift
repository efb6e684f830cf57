/// Reads JSON5 (https://spec.json5.org) and keeps the place of every value.
///
/// Stricter than the format where a policy file needs it: a key that is given twice is a fault, numbers are finite, text is valid
/// UTF-8 without lone surrogates. Bounded: nesting to `maximumDepth`, `maximumByteCount` of text, `maximumNodeCount` values.
/// Twice given keys and numbers that are not finite are collected; the first fault of syntax ends the reading.
struct JSON5Reader {
  static let maximumDepth = 64
  static let maximumByteCount = 8 << 20
  static let maximumNodeCount = 500_000
  private static let maximumFaultCount = 100

  let bytes: [UInt8]
  var index = 0
  var path = SettingPath.root
  private var depth = 0
  private var nodeCount = 0
  private var faults: [JSON5Fault] = []

  private init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  static func read(_ bytes: [UInt8]) -> JSON5Document {
    var reader = JSON5Reader(bytes)
    do throws(JSON5Fault) {
      let root = try reader.document()
      return JSON5Document(root: root, faults: reader.faults)
    } catch {
      return JSON5Document(root: nil, faults: reader.faults + [error])
    }
  }

  static func read(_ text: String) -> JSON5Document {
    read(Array(text.utf8))
  }

  // MARK: Structure

  private mutating func document() throws(JSON5Fault) -> JSON5Node {
    guard bytes.count <= Self.maximumByteCount else {
      throw fault("the text is longer than \(Self.maximumByteCount >> 20) MiB", at: 0)
    }
    if let offset = Self.firstInvalidByte(of: bytes) { throw fault("this is not valid UTF-8", at: offset) }
    try skipSpace()
    guard index < bytes.count else { throw fault("the text is empty; an object `{ … }` is expected") }
    let root = try value()
    try skipSpace()
    guard index == bytes.count else { throw fault("nothing may follow the value, found \(found)") }
    return root
  }

  private mutating func value() throws(JSON5Fault) -> JSON5Node {
    nodeCount += 1
    guard nodeCount <= Self.maximumNodeCount else { throw fault("more than \(Self.maximumNodeCount) values") }
    let start = index
    guard let byte = peek else { throw fault("the text ends where a value is expected") }
    let value: JSON5Node.Value
    switch byte {
    case UInt8(ascii: "{"): value = try nested { (reader) throws(JSON5Fault) in .object(try reader.members()) }
    case UInt8(ascii: "["): value = try nested { (reader) throws(JSON5Fault) in .array(try reader.elements()) }
    case UInt8(ascii: "\""), UInt8(ascii: "'"): value = .string(try string())
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "+"), UInt8(ascii: "-"):
      value = try number()
    default: value = try word()
    }
    return JSON5Node(value: value, offset: start)
  }

  private mutating func nested(
    _ read: (inout JSON5Reader) throws(JSON5Fault) -> JSON5Node.Value
  ) throws(JSON5Fault) -> JSON5Node.Value {
    guard depth < Self.maximumDepth else { throw fault("nested deeper than \(Self.maximumDepth) levels") }
    depth += 1
    defer { depth -= 1 }
    return try read(&self)
  }

  private mutating func members() throws(JSON5Fault) -> [JSON5Member] {
    let start = index
    let outer = path
    var members: [JSON5Member] = []
    var firstOffsets: [String: Int] = [:]
    index += 1
    try skipSpace()
    while peek != UInt8(ascii: "}") {
      guard index < bytes.count else { throw fault("this `{` has no `}`", at: start) }
      let keyOffset = index
      let key = try memberName()
      path = .member(of: outer, key: key)
      try skipSpace()
      guard peek == UInt8(ascii: ":") else { throw fault("`:` is expected after the key `\(key)`, found \(found)") }
      index += 1
      try skipSpace()
      let value = try value()
      if let first = firstOffsets.updateValue(firstOffsets[key] ?? keyOffset, forKey: key) {
        try collect("the key `\(key)` is given twice", at: keyOffset, first: first)
      } else {
        members.append(JSON5Member(key: key, keyOffset: keyOffset, value: value))
      }
      try skipSpace()
      if peek == UInt8(ascii: ",") {
        index += 1
        try skipSpace()
      } else if index < bytes.count, peek != UInt8(ascii: "}") {
        throw fault("`,` or `}` is expected after the value of `\(key)`, found \(found)")
      }
      path = outer
    }
    index += 1
    return members
  }

  private mutating func elements() throws(JSON5Fault) -> [JSON5Node] {
    let start = index
    let outer = path
    var elements: [JSON5Node] = []
    index += 1
    try skipSpace()
    while peek != UInt8(ascii: "]") {
      guard index < bytes.count else { throw fault("this `[` has no `]`", at: start) }
      path = .element(of: outer, index: elements.count)
      elements.append(try value())
      try skipSpace()
      if peek == UInt8(ascii: ",") {
        index += 1
        try skipSpace()
      } else if index < bytes.count, peek != UInt8(ascii: "]") {
        throw fault("`,` or `]` is expected after an element, found \(found)")
      }
      path = outer
    }
    index += 1
    return elements
  }

  // MARK: Common

  var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

  func fault(_ message: String, at offset: Int? = nil) -> JSON5Fault {
    JSON5Fault(offset: offset ?? index, path: path, message: message)
  }

  /// Notes a fault that does not keep the rest from being read.
  mutating func collect(_ message: String, at offset: Int, first: Int? = nil) throws(JSON5Fault) {
    let fault = JSON5Fault(offset: offset, path: path, message: message, firstOffset: first)
    guard faults.count < Self.maximumFaultCount else { throw fault }
    faults.append(fault)
  }

  /// What stands at the current place, for a message.
  var found: String {
    guard index < bytes.count else { return "the end of the text" }
    var text = ""
    var place = index
    while place < bytes.count, text.unicodeScalars.count < 20 {
      let (scalar, length) = scalar(at: place)
      guard Self.continuesIdentifier(scalar) || text.isEmpty else { break }
      text.unicodeScalars.append(scalar)
      place += length
      guard Self.continuesIdentifier(scalar) else { break }
    }
    return "`\(text)`"
  }

  private static func firstInvalidByte(of bytes: [UInt8]) -> Int? {
    if String(validating: bytes, as: UTF8.self) != nil { return nil }
    var parser = Unicode.UTF8.ForwardParser()
    var iterator = bytes.makeIterator()
    var offset = 0
    while true {
      switch parser.parseScalar(from: &iterator) {
      case .valid(let encoded): offset += encoded.count
      case .error: return offset
      case .emptyInput: return nil
      }
    }
  }
}
