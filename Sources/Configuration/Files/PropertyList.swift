import CPlist
import Glibc
import Policy

/// Reads property lists in each of their three forms: XML, binary and JSON.
enum PropertyList {
  static let maximumDepth = 64

  struct Fault: Error, Equatable {
    let message: String
    var line: Int?
    var column: Int?
  }

  static func read(_ bytes: [UInt8]) throws(Fault) -> PropertyValue {
    if bytes.starts(with: Array("bplist".utf8)) {
      try BinaryPropertyListBounds.check(bytes)
      return try parse(bytes, form: "binary", plist_from_bin)
    }
    if let first = bytes.first(where: { $0 > 0x20 && $0 < 0x80 }), first == UInt8(ascii: "{") { return try json(bytes) }
    try XMLPropertyListBounds.check(bytes)
    return try parse(bytes, form: "XML", plist_from_xml)
  }

  private typealias Parser = (UnsafePointer<CChar>?, UInt32, UnsafeMutablePointer<plist_t?>?) -> Void

  private static func parse(_ bytes: [UInt8], form: String, _ parser: Parser) throws(Fault) -> PropertyValue {
    guard let length = UInt32(exactly: bytes.count) else { throw Fault(message: "the file is too large") }
    var root: plist_t?
    bytes.withUnsafeBufferPointer { buffer in
      buffer.withMemoryRebound(to: CChar.self) { parser($0.baseAddress, length, &root) }
    }
    guard let root else {
      throw Fault(message: "this is not a property list: neither XML, binary nor JSON form can be read (tried \(form))")
    }
    defer { plist_free(root) }
    return try value(of: root, depth: 0)
  }

  private static func json(_ bytes: [UInt8]) throws(Fault) -> PropertyValue {
    let document = JSON5Reader.read(bytes)
    if let fault = document.faults.first {
      let position = SourceText(name: "", bytes: bytes).position(of: fault.offset)
      throw Fault(message: fault.message, line: position.line, column: position.column)
    }
    return document.root.map(PropertyValue.init) ?? .null
  }

  private static func value(of node: plist_t, depth: Int) throws(Fault) -> PropertyValue {
    guard depth <= maximumDepth else { throw Fault(message: "nested deeper than \(maximumDepth) levels") }
    switch plist_get_node_type(node) {
    case PLIST_BOOLEAN:
      var value: UInt8 = 0
      plist_get_bool_val(node, &value)
      return .boolean(value != 0)
    case PLIST_UINT:
      // libplist keeps the bits of a negative number in an unsigned one.
      var value: UInt64 = 0
      plist_get_uint_val(node, &value)
      return .integer(Int64(bitPattern: value))
    case PLIST_REAL:
      var value = 0.0
      plist_get_real_val(node, &value)
      return .real(value)
    case PLIST_STRING:
      var length: UInt64 = 0
      guard let base = plist_get_string_ptr(node, &length), let count = Int(exactly: length) else { return .string("") }
      return .string(String(decoding: UnsafeRawBufferPointer(start: base, count: count), as: UTF8.self))
    case PLIST_DATA:
      var length: UInt64 = 0
      guard let base = plist_get_data_ptr(node, &length), let count = Int(exactly: length) else { return .data([]) }
      let buffer = UnsafeBufferPointer(start: base, count: count)
      return .data(buffer.map { UInt8(bitPattern: $0) })
    case PLIST_DATE:
      // Seconds since 2001, 978307200 of them after 1970.
      var seconds: Int32 = 0
      var microseconds: Int32 = 0
      plist_get_date_val(node, &seconds, &microseconds)
      return .date(Double(seconds) + Double(microseconds) / 1_000_000 + 978_307_200)
    case PLIST_ARRAY: return try array(node, depth: depth)
    case PLIST_DICT: return try dictionary(node, depth: depth)
    default: return .null
    }
  }

  private static func array(_ node: plist_t, depth: Int) throws(Fault) -> PropertyValue {
    var iterator: plist_array_iter?
    plist_array_new_iter(node, &iterator)
    defer { free(iterator) }
    var values: [PropertyValue] = []
    while true {
      var item: plist_t?
      plist_array_next_item(node, iterator, &item)
      guard let item else { return .array(values) }
      values.append(try value(of: item, depth: depth + 1))
    }
  }

  private static func dictionary(_ node: plist_t, depth: Int) throws(Fault) -> PropertyValue {
    var iterator: plist_dict_iter?
    plist_dict_new_iter(node, &iterator)
    defer { free(iterator) }
    var values: [String: PropertyValue] = [:]
    while true {
      var key: UnsafeMutablePointer<CChar>?
      var item: plist_t?
      plist_dict_next_item(node, iterator, &key, &item)
      defer { free(key) }
      guard let item, let key else { return .dictionary(values) }
      values[String(cString: key)] = try value(of: item, depth: depth + 1)
    }
  }
}

extension PropertyValue {
  /// The same value without its places.
  init(_ node: JSON5Node) {
    switch node.value {
    case .null: self = .null
    case .boolean(let value): self = .boolean(value)
    case .integer(let value): self = .integer(value)
    case .real(let value): self = .real(value)
    case .string(let value): self = .string(value)
    case .array(let elements): self = .array(elements.map(PropertyValue.init))
    case .object(let members):
      self = .dictionary(
        Dictionary(members.map { ($0.key, PropertyValue($0.value)) }, uniquingKeysWith: { first, _ in first }))
    }
  }
}
