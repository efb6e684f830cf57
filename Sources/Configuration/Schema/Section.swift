import Policy

/// An object of the configuration file with known keys. Whatever is asked for is known: what remains at the end is reported.
final class Section {
  let field: Field
  private let members: [String: JSON5Member]
  private let order: [JSON5Member]
  private var knownKeys: [String] = []

  init(members: [JSON5Member], field: Field) {
    self.field = field
    order = members
    self.members = Dictionary(members.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The value of a key; nil when it is absent or `null`, which stands for the default everywhere.
  func field(_ key: String) -> Field? {
    guard let field = presentField(key) else { return nil }
    if case .null = field.node.value { return nil }
    return field
  }

  /// The value of a key, `null` included, for the keys where `null` is a choice.
  func presentField(_ key: String) -> Field? {
    if !knownKeys.contains(key) { knownKeys.append(key) }
    guard let member = members[key] else { return nil }
    return Field(node: member.value, path: .member(of: field.path, key: key), reading: field.reading)
  }

  /// Reads a key into a place that holds the default; the place keeps it when the value is absent or wrong.
  func read<Value>(_ key: String, into target: inout Value, _ read: (Field) -> Value?) {
    if let value = field(key).flatMap(read) { target = value }
  }

  func read<Value>(_ key: String, into target: inout Value?, _ read: (Field) -> Value?) {
    if let value = field(key).flatMap(read) { target = value }
  }

  func reportUnknownKeys() {
    for member in order where !knownKeys.contains(member.key) {
      guard !field.reading.isFull else {
        field.reading.report(.error, "unknown key", path: "", at: nil)
        continue
      }
      let path = SettingPath.member(of: field.path, key: member.key)
      let hint =
        NearestKey.find(member.key, among: knownKeys).map { "did you mean `\($0)`?" }
        ?? "known here: \(knownKeys.sorted().joined(separator: ", "))"
      field.reading.report(.error, "unknown key `\(member.key)`; \(hint)", path: path.description, at: member.keyOffset)
    }
  }
}
