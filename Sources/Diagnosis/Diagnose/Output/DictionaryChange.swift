import Policy

/// What has to change in an app's dictionary for one host to pass, as a diff of the XML.
struct DictionaryChange {
  /// Each begins with a space, `-` or `+`; empty: nothing would help.
  let lines: [String]

  /// - Parameter entry: the smallest entry that lets the host pass; nil: none does, or none is needed.
  init(_ dictionary: PropertyValue, key: String, entry: PropertyValue?) {
    guard case .dictionary(let needed)? = entry else {
      lines = []
      return
    }
    let before = DictionaryText.xml(Self.plain(dictionary), key: ExceptionKey.dictionary)
    let after = DictionaryText.xml(Self.changed(dictionary, key, needed), key: ExceptionKey.dictionary)
    lines = Self.diff(before, after)
  }

  private static func plain(_ dictionary: PropertyValue) -> PropertyValue {
    if case .dictionary = dictionary { dictionary } else { .dictionary([:]) }
  }

  /// The entry of the host keeps what has nothing to do with it, such as `NSIncludesSubdomains`.
  private static func changed(
    _ dictionary: PropertyValue, _ key: String, _ needed: [String: PropertyValue]
  ) -> PropertyValue {
    guard case .dictionary(var members) = plain(dictionary) else { return dictionary }
    var domains: [String: PropertyValue] = [:]
    if case .dictionary(let present)? = members[ExceptionKey.domains] { domains = present }
    var entry: [String: PropertyValue] = [:]
    if case .dictionary(let present)? = domains[key] { entry = present }
    for name in [ExceptionKey.minimumTLS, ExceptionKey.forwardSecrecy, ExceptionKey.insecureHTTP] { entry[name] = nil }
    domains[key] = .dictionary(entry.merging(needed) { _, new in new })
    members[ExceptionKey.domains] = .dictionary(domains)
    return .dictionary(members)
  }

  /// A few lines around each change; the longest common part stays.
  private static func diff(_ before: [String], _ after: [String]) -> [String] {
    var lines = before.map { (mark: " ", text: $0) }
    let difference = after.difference(from: before)
    for case .remove(let offset, _, _) in difference.removals where lines.indices.contains(offset) {
      lines[offset].mark = "-"
    }
    for case .insert(let offset, let text, _) in difference.insertions {
      let kept = lines.indices.filter { lines[$0].mark != "-" }
      let place = offset < kept.count ? kept[offset] : lines.count
      lines.insert((mark: "+", text: text), at: place)
    }
    return context(lines)
  }

  private static func context(_ lines: [(mark: String, text: String)]) -> [String] {
    let width = 3
    let changed = lines.indices.filter { lines[$0].mark != " " }
    return lines.enumerated().compactMap { index, line in
      changed.contains { abs($0 - index) <= width } ? line.mark + line.text : nil
    }
  }
}
