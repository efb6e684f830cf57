/// One directive of a content security policy with a list of sources (CSP3, section 2.3.1).
struct SourceList: Equatable {
  /// In lower case.
  let name: String
  private(set) var sources: [Substring]

  /// nil: there is no name.
  init?(_ directive: Substring) {
    let words = directive.split(whereSeparator: \.isWhitespace)
    guard let name = words.first else { return nil }
    self.name = name.lowercased()
    sources = Array(words.dropFirst())
  }

  private init(name: String, sources: [Substring]) {
    self.name = name
    self.sources = sources
  }

  var text: String { ([name[...]] + sources).joined(separator: " ") }

  func contains(_ source: String) -> Bool {
    sources.contains { $0.lowercased() == source }
  }

  /// Whether every inline script may run (CSP3, section 6.7.3.2). A hash beside this would take it back.
  var allowsAllInlineScripts: Bool {
    guard contains("'unsafe-inline'"), !contains("'strict-dynamic'") else { return false }
    return !sources.contains { source in
      let source = source.lowercased()
      return ["'nonce-", "'sha256-", "'sha384-", "'sha512-"].contains { source.hasPrefix($0) }
    }
  }

  /// With what is not in it yet; `'none'`, which means something only alone, gives way.
  func adding(_ added: [String], as name: String? = nil) -> SourceList {
    let kept = sources.filter { $0.lowercased() != "'none'" }
    let missing = added.filter { source in !kept.contains { $0 == source } }
    return SourceList(name: name ?? self.name, sources: kept + missing.map { $0[...] })
  }
}
