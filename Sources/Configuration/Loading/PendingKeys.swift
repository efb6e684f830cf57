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
    Row(
      key: "console", level: .note,
      harmless: ["{}", "{ address: '127.0.0.1:8081' }", "{ address: '127.0.0.1:8081', token: null }"],
      consequence: "this version has no console"),
    Row(
      key: "store.bytes", level: .note, harmless: ["'256MiB'"],
      consequence: "this version keeps no history of exchanges"),
    Row(
      key: "store.exchanges", level: .note, harmless: ["100000"],
      consequence: "this version keeps no history of exchanges"),
    Row(key: "bodies.capture", level: .note, harmless: ["'64KiB'", "0"], consequence: "this version keeps no bodies"),
    Row(key: "lanes.*.capture", level: .note, harmless: ["'64KiB'", "0"], consequence: "this version keeps no bodies"),
    Row(key: "pictures.hosts", level: .note, harmless: ["[]"], consequence: "this version has no cache of pictures"),
    Row(key: "onboarding.address", level: .note, harmless: [], consequence: "this version has no page for new devices"),
    Row(key: "trust.*.reportURIs", level: .note, harmless: ["[]"], consequence: "this version posts no reports"),
    Row(key: "imports", level: .error, harmless: ["[]"], consequence: "this version does not check imported pins"),
    Row(
      key: "ct.logList", level: .error, harmless: [],
      consequence: "this version does not check Certificate Transparency"),
    Row(
      key: "trust.*.requiresCertificateTransparency", level: .error, harmless: ["false"],
      consequence: "this version does not check Certificate Transparency"),
    Row(
      key: "trust.*.fetchIntermediates", level: .error, harmless: ["false"],
      consequence: "this version does not fetch intermediate certificates"),
    Row(
      key: "bodies.hook.hosts", level: .error, harmless: ["[]"],
      consequence: "this version does not restore stripped bodies"),
    Row(
      key: "lanes.*.failOpen", level: .error, harmless: ["false"],
      consequence: "this version never lets traffic pass unjudged"),
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
