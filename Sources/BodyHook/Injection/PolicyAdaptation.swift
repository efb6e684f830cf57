/// Makes content security policies allow the script and what it does, and nothing else.
///
/// A policy that does not restrict these stays as it is, byte for byte.
struct PolicyAdaptation {
  /// `'sha256-…'` of a script inside the document; nil: it does not stand there (workers).
  let hash: String?
  /// Where the script sends bodies.
  let uploadURL: String

  /// The value of a header field: policies with commas between them, all of which are in force (CSP3, section 2.2.2).
  func adapt(fieldValue: String) -> String {
    let policies = fieldValue.split(separator: ",", omittingEmptySubsequences: false)
    let adapted = policies.map { adapt($0) }
    return zip(policies, adapted).allSatisfy { $0 == $1 } ? fieldValue : adapted.joined(separator: ",")
  }

  /// One policy.
  func adapt(_ policy: Substring) -> String {
    let directives = policy.split(separator: ";").map { SourceList($0) }
    var added: [SourceList] = []
    var replaced: [String: SourceList] = [:]
    func change(_ effective: SourceList, to name: String, adding sources: [String]) {
      if effective.name == "default-src" {
        added.append(effective.adding(sources, as: name))
      } else {
        replaced[effective.name] = effective.adding(sources)
      }
    }
    func first(_ names: String...) -> SourceList? {
      for name in names {
        if let found = directives.first(where: { $0?.name == name }) { return found }
      }
      return nil
    }
    if let hash, let scripts = first("script-src-elem", "script-src", "default-src"), !scripts.allowsAllInlineScripts {
      // A hash in default-src itself would take 'unsafe-inline' from styles. Older engines know script-src only.
      change(scripts, to: "script-src", adding: [hash])
    }
    if let connections = first("connect-src", "default-src") {
      let missing = missingConnections(of: connections)
      if !missing.isEmpty { change(connections, to: "connect-src", adding: missing) }
    }
    guard !added.isEmpty || !replaced.isEmpty else { return String(policy) }
    return text(policy, directives, replaced, added)
  }

  /// What the script connects to: its upload URL, and blobs of the page, which it reads to know their bytes.
  private func missingConnections(of list: SourceList) -> [String] {
    var missing: [String] = []
    if !list.contains("*"), !list.contains("'self'"), !list.contains(uploadURL.lowercased()) {
      missing.append(uploadURL)
    }
    if !list.contains("blob:") { missing.append("blob:") }
    return missing
  }

  /// The directives in their places and spelling, but those that were changed.
  private func text(
    _ policy: Substring, _ directives: [SourceList?], _ replaced: [String: SourceList], _ added: [SourceList]
  ) -> String {
    var replaced = replaced
    var parts: [String] = []
    for (directive, written) in zip(directives, policy.split(separator: ";")) {
      guard let directive else { continue }
      // Only the first of a name counts.
      parts.append(replaced.removeValue(forKey: directive.name)?.text ?? String(written.trimmed))
    }
    return (policy.first == " " ? " " : "") + (parts + added.map(\.text)).joined(separator: "; ")
  }

  /// Whether one of the policies forbids every script (`sandbox` without `allow-scripts`).
  static func forbidsScripts(fieldValue: String) -> Bool {
    fieldValue.split(separator: ",").contains { policy in
      let sandbox = policy.split(separator: ";").lazy.compactMap { SourceList($0) }.first { $0.name == "sandbox" }
      return sandbox.map { !$0.contains("allow-scripts") } ?? false
    }
  }
}
