import Policy

/// The keys of the configuration whose feature this version does not have yet, in one list: a feature that arrives takes its row away.
///
/// Ignoring some keys only loses a view: a note. Ignoring the others would change a decision, trust or routing: an error. `null` and
/// the default are always accepted (contract, section 2).
enum PendingKeys {
  private struct Row {
    /// Steps joined with dots: `*` is any key, `[]` any element of a list.
    let key: String
    let level: Finding.Level
    /// Values, in JSON5, at which there is nothing to ignore.
    let harmless: [String]
    let consequence: String
  }

  private static let rows: [Row] = [
    Row(key: "pictures.hosts", level: .note, harmless: ["[]"], consequence: "this version has no cache of pictures"),
    Row(key: "onboarding.address", level: .note, harmless: [], consequence: "this version has no page for new devices"),
  ]

  /// Reports each key of the list that is given with a value which would be ignored.
  static func report(_ root: Field) {
    for row in rows {
      let harmless = row.harmless.compactMap { JSON5Reader.read($0).root }
      visit(root, row.key.split(separator: ".")[...]) { field in
        if case .null = field.node.value { return }
        guard !harmless.contains(where: { $0.isEqual(to: field.node) }) else { return }
        let effect = row.level == .error ? "is not supported yet" : "has no effect yet"
        field.report(row.level, "this \(effect): \(row.consequence)")
      }
    }
  }

  private static func visit(_ field: Field, _ steps: ArraySlice<Substring>, _ body: (Field) -> Void) {
    guard let step = steps.first else { return body(field) }
    switch field.node.value {
    case .array(let elements) where step == "[]":
      for (index, element) in elements.enumerated() {
        let child = Field(node: element, path: .element(of: field.path, index: index), reading: field.reading)
        visit(child, steps.dropFirst(), body)
      }
    case .object(let members):
      for member in members where step == "*" || step == member.key {
        let child = Field(node: member.value, path: .member(of: field.path, key: member.key), reading: field.reading)
        visit(child, steps.dropFirst(), body)
      }
    default: break
    }
  }
}
