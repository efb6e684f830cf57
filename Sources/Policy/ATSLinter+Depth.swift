import Names

/// Findings about hosts that the app is known to reach: how far below an entry they are.
extension ATSLinter {
  mutating func lintDepth(of hosts: [Host]) {
    var seen: Set<Host> = []
    for host in hosts where host.address == nil && seen.insert(host).inserted {
      lintExceptionDepth(of: host)
      lintPinnedDepth(of: host)
    }
  }

  private mutating func lintExceptionDepth(of host: Host) {
    guard let exception = policy.exception(for: host), !exception.isBuiltIn, let depth = exception.depth(of: host),
      depth >= 2
    else { return }
    note(
      "\(ATSKey.exceptionDomains).\(exception.key).\(ATSKey.subdomains)",
      "\(host) is \(depth) labels below \(exception.key): devices look at any depth, but Apple's documentation promises one label only; "
        + "give \(host) an entry of its own")
  }

  /// An entry whose author may think that it reaches this deep.
  private mutating func lintPinnedDepth(of host: Host) {
    guard policy.pinnedDomains.identities(for: host) == nil else { return }
    let entries = policy.dictionary[ATSKey.pinnedDomains]?.members ?? [:]
    for (key, value) in entries.sorted(by: { $0.key < $1.key }) where value[ATSKey.subdomains] == .boolean(true) {
      guard PinnedIdentities(value) != nil, let parent = try? Host(key),
        host.text.hasSuffix("." + parent.text), host.labels.count - parent.labels.count >= 2
      else { continue }
      warn(
        "\(ATSKey.pinnedDomains).\(key).\(ATSKey.subdomains)",
        "\(host) is not pinned: \(ATSKey.subdomains) covers exactly one label more than \(key); give \(host) an entry of its own"
      )
    }
  }
}
