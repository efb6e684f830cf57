import HTTP

/// Fields and variants as bytes on disk: for each a length of four bytes and the text, for a name and its value in turn. A value that is not
/// there has the length 2^32 - 1.
enum FieldCoding {
  static func bytes(_ fields: HeaderList) -> [UInt8] {
    var bytes: [UInt8] = []
    for index in 0..<fields.count {
      append(fields[index].name, to: &bytes)
      append(fields[index].value, to: &bytes)
    }
    return bytes
  }

  static func bytes(_ variant: Variant) -> [UInt8] {
    var bytes: [UInt8] = []
    for selection in variant.selections {
      append(Array(selection.name.utf8)[...], to: &bytes)
      append(selection.value.map { Array($0.utf8)[...] }, to: &bytes)
    }
    return bytes
  }

  /// nil: they were written by somebody else.
  static func fields(_ bytes: [UInt8]) -> HeaderList? {
    var fields = HeaderList()
    var rest = bytes[...]
    while !rest.isEmpty {
      guard case .text(let name)? = take(&rest), case .text(let value)? = take(&rest) else { return nil }
      let isTaken = name.withUnsafeBytes { name in
        value.withUnsafeBytes { value in fields.append(name: name, value: value) }
      }
      guard isTaken else { return nil }
    }
    return fields
  }

  static func variant(_ bytes: [UInt8]) -> Variant? {
    var selections: [Variant.Selection] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      guard case .text(let name)? = take(&rest), let value = take(&rest) else { return nil }
      let text: String? = if case .text(let bytes) = value { String(decoding: bytes, as: UTF8.self) } else { nil }
      selections.append(Variant.Selection(name: String(decoding: name, as: UTF8.self), value: text))
    }
    return Variant(selections: selections)
  }

  private enum Item {
    case text(ArraySlice<UInt8>)
    case nothing
  }

  private static func append(_ text: ArraySlice<UInt8>?, to bytes: inout [UInt8]) {
    let count = text.map { UInt32(truncatingIfNeeded: $0.count) } ?? .max
    for shift in stride(from: UInt32(24), through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: count >> shift))
    }
    if let text { bytes.append(contentsOf: text) }
  }

  private static func take(_ rest: inout ArraySlice<UInt8>) -> Item? {
    guard rest.count >= 4 else { return nil }
    let count = rest.prefix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    rest = rest.dropFirst(4)
    if count == .max { return .nothing }
    guard rest.count >= Int(count) else { return nil }
    defer { rest = rest.dropFirst(Int(count)) }
    return .text(rest.prefix(Int(count)))
  }
}
