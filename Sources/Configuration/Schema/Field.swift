import Policy

/// A value of the configuration file with its place; the readers of its extensions turn it into a typed value or report why it is
/// none and return nil.
struct Field {
  let node: JSON5Node
  let path: SettingPath
  let reading: Reading

  func report(_ level: Finding.Level, _ message: String) {
    reading.report(level, message, path: path.description, at: node.offset)
  }

  /// Reports an error and returns nil, so that a reader can end with it.
  func reject<Value>(_ message: String) -> Value? {
    report(.error, message)
    return nil
  }

  /// Reports that the value is of the wrong kind.
  func rejectKind<Value>(expected: String) -> Value? {
    reject("\(shown) is \(node.kind); \(expected)")
  }

  /// The value as it may stand in a message; long text is cut.
  var shown: String {
    switch node.value {
    case .null: "`null`"
    case .boolean(let value): "`\(value)`"
    case .integer(let value): "`\(value)`"
    case .real(let value): "`\(value)`"
    case .string(let text): "`\(text.count > 100 ? text.prefix(100) + "…" : text)`"
    case .array(let elements): elements.isEmpty ? "`[]`" : "`[…]`"
    case .object(let members): members.isEmpty ? "`{}`" : "`{…}`"
    }
  }

  /// The elements of a list, each read by `read`; those that cannot be read are reported and left out.
  func list<Value>(_ expected: String = "a list is expected", _ read: (Field) -> Value?) -> [Value]? {
    guard case .array(let elements) = node.value else { return rejectKind(expected: expected) }
    return elements.enumerated().compactMap { index, element in
      read(Field(node: element, path: .element(of: path, index: index), reading: reading))
    }
  }

  /// The members of an object whose keys are names of the user's choice.
  func members(_ expected: String = "an object is expected") -> [(key: String, field: Field)]? {
    guard case .object(let members) = node.value else { return rejectKind(expected: expected) }
    return members.map { ($0.key, Field(node: $0.value, path: .member(of: path, key: $0.key), reading: reading)) }
  }

  /// A member of an object that was read before, for a finding about it; the object itself where it is absent.
  func member(_ key: String) -> Field {
    guard case .object(let members) = node.value, let member = members.first(where: { $0.key == key }) else {
      return self
    }
    return Field(node: member.value, path: .member(of: path, key: key), reading: reading)
  }

  /// Reads an object with known keys and reports those that `read` did not ask for.
  @discardableResult
  func section<Value>(_ read: (Section) -> Value) -> Value? {
    guard case .object(let members) = node.value else { return rejectKind(expected: "an object is expected") }
    let section = Section(members: members, field: self)
    let value = read(section)
    section.reportUnknownKeys()
    return value
  }
}
