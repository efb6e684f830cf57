import Policy

/// Findings that are made elsewhere, with key paths relative to a value of the configuration file.
extension Field {
  /// Takes a finding over, with the place of its key.
  func add(_ finding: Finding) {
    let keyPath =
      finding.keyPath.isEmpty
      ? path.description : finding.keyPath.hasPrefix("[") ? "\(path)\(finding.keyPath)" : "\(path).\(finding.keyPath)"
    reading.report(finding.level, finding.message, path: keyPath, at: node.offset(of: finding.keyPath) ?? node.offset)
  }
}

extension JSON5Node {
  /// Where the value stands that a dotted path with `[n]` for elements names, or the last one on the way to it. Keys may have dots in them.
  fileprivate func offset(of keyPath: String) -> Int? {
    switch value {
    case .object(let members) where !keyPath.isEmpty:
      let match = members.filter { member in
        keyPath.hasPrefix(member.key) && Self.ends(keyPath, after: member.key.count)
      }.max { $0.key.count < $1.key.count }
      guard let match else { return nil }
      let rest = keyPath.dropFirst(match.key.count)
      return match.value.offset(of: String(rest.first == "." ? rest.dropFirst() : rest)) ?? match.keyOffset
    case .array(let elements) where keyPath.first == "[":
      let digits = keyPath.dropFirst().prefix { $0 != "]" }
      guard let index = Int(digits), elements.indices.contains(index) else { return nil }
      let rest = keyPath.dropFirst(digits.count + 2)
      let element = elements[index]
      return element.offset(of: String(rest.first == "." ? rest.dropFirst() : rest)) ?? element.offset
    default: return nil
    }
  }

  private static func ends(_ keyPath: String, after count: Int) -> Bool {
    let rest = keyPath.dropFirst(count)
    return rest.isEmpty || rest.first == "." || rest.first == "["
  }
}
