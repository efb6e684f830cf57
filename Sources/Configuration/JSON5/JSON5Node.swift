/// One value of a JSON5 document with the byte offset at which it stands.
struct JSON5Node: Sendable {
  enum Value: Sendable {
    case null
    case boolean(Bool)
    /// A number without fraction and exponent that fits.
    case integer(Int64)
    /// Any other finite number.
    case real(Double)
    case string(String)
    case array([JSON5Node])
    /// In the order of the file; a key that was given twice stands only once, with its first value.
    case object([JSON5Member])
  }

  let value: Value
  let offset: Int

  /// What kind of value this is, in words for a message.
  var kind: String {
    switch value {
    case .null: "null"
    case .boolean: "a boolean"
    case .integer, .real: "a number"
    case .string: "a string"
    case .array: "a list"
    case .object: "an object"
    }
  }

  /// Whether both are the same value, wherever they stand and however they are written.
  func isEqual(to other: JSON5Node) -> Bool {
    switch (value, other.value) {
    case (.null, .null): return true
    case (.boolean(let one), .boolean(let two)): return one == two
    case (.integer(let one), .integer(let two)): return one == two
    case (.real(let one), .real(let two)): return one == two
    case (.integer(let one), .real(let two)), (.real(let two), .integer(let one)): return Double(one) == two
    case (.string(let one), .string(let two)): return one == two
    case (.array(let one), .array(let two)):
      return one.count == two.count && zip(one, two).allSatisfy { $0.isEqual(to: $1) }
    case (.object(let one), .object(let two)):
      return one.count == two.count
        && one.allSatisfy { member in two.contains { $0.key == member.key && $0.value.isEqual(to: member.value) } }
    default: return false
    }
  }
}

/// One `key: value` of an object.
struct JSON5Member: Sendable {
  let key: String
  let keyOffset: Int
  let value: JSON5Node
}
