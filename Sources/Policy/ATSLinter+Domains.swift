import Names

/// Findings about `NSExceptionDomains` as a whole and about its entries.
extension ATSLinter {
  mutating func lintDomains(_ domains: PropertyValue) {
    guard let members = domains.members else {
      return warn(
        ATSKey.exceptionDomains,
        "\(ATSKey.exceptionDomains) is no dictionary and is ignored; write a dictionary with an entry for each domain")
    }
    lintSpellings(members)
    for (key, value) in members.sorted(by: { $0.key < $1.key }) {
      let path = "\(ATSKey.exceptionDomains).\(key)"
      guard let entry = value.members else {
        warn(
          path,
          "the entry of \(key) is no dictionary and is skipped: ATS is as if it were not listed; write a dictionary")
        continue
      }
      if let reason = Self.reasonToMatchNothing(key) {
        warn(path, "\"\(key)\" matches nothing: \(reason)")
        continue
      }
      lintKey(key, path: path, includesSubdomains: entry[ATSKey.subdomains]?.flag == true)
      lintEntry(key, entry, path: path)
    }
  }

  /// Keys that a request cannot tell apart here.
  private mutating func lintSpellings(_ members: [String: PropertyValue]) {
    var spellings: [String: [String]] = [:]
    for key in members.keys.sorted() where !key.contains("/") && members[key]?.members != nil {
      guard let host = try? Host(key) else { continue }
      spellings[host.hasTrailingDot ? host.text + "." : host.text, default: []].append(key)
    }
    for (name, keys) in spellings.sorted(by: { $0.key < $1.key }) where keys.count > 1 {
      let winner = keys.contains(name) ? name : keys[0]
      for key in keys where key != winner {
        warn(
          "\(ATSKey.exceptionDomains).\(key)",
          "\"\(key)\" is the same name as \"\(winner)\", and only the entry of \"\(winner)\" counts; keep one of them")
      }
    }
  }

  private mutating func lintEntry(_ key: String, _ entry: [String: PropertyValue], path: String) {
    guard !entry.isEmpty else {
      return warn(
        path,
        "an empty entry is full ATS for \(key), whatever the global keys permit; take it away, or say in it what is permitted"
      )
    }
    for (name, value) in entry.sorted(by: { $0.key < $1.key }) where value != .null {
      lintMember(name, value, path: "\(path).\(name)")
    }
    let exception = DomainException(key: key, members: entry, profile: profile)
    if exception.permitsPlainHTTP { lintPermission(exception, entry, path: path) }
    lintUse(exception, entry, path: path)
    lintParent(exception, path: path)
  }

  private mutating func lintPermission(
    _ exception: DomainException, _ entry: [String: PropertyValue], path: String
  ) {
    note(path, "\(Self.justification(ATSKey.insecureHTTP)) for \(exception.key)")
    if entry[ATSKey.minimumTLS] != nil {
      note(
        path,
        "\(ATSKey.insecureHTTP) permits plain HTTP to \(exception.key), but \(ATSKey.minimumTLS) still holds for https to it; "
          + "take one of them away if only the other is needed")
    }
    guard let host = try? Host(exception.key), profile.isLocal(host), policy.globals.localNetworking != .no else {
      return
    }
    note(
      path,
      "\(exception.key) is local and needs no exception on OS \(profile.os): plain HTTP is permitted without one; the entry only adds "
        + "what ATS asks of https; take it away unless older systems need it")
  }

  /// An entry that changes nothing where ATS is on anyway.
  private mutating func lintUse(_ exception: DomainException, _ entry: [String: PropertyValue], path: String) {
    let isKnown = entry.keys.contains { ATSKey.exceptions.contains($0) }
    guard isKnown, policy.isFullByDefault, !exception.permitsPlainHTTP,
      exception.requirements == ATSRequirements(profile), parent(of: exception) == nil
    else { return }
    note(
      path,
      "the entry of \(exception.key) permits nothing: ATS is fully on for it, as it is without the entry where no global key permits more; "
        + "take it away, or say in it what is permitted")
  }

  /// An entry takes nothing over from the one above it.
  private mutating func lintParent(_ exception: DomainException, path: String) {
    guard let parent = parent(of: exception), parent.permitsPlainHTTP, !exception.permitsPlainHTTP else {
      return
    }
    note(
      path,
      "\(exception.key) has an entry of its own, so that of \(parent.key) does not count for it: plain HTTP is refused; repeat "
        + "\(ATSKey.insecureHTTP) in it if that is not meant")
  }

  /// The entry that would count for this name if it had none of its own.
  private func parent(of exception: DomainException) -> DomainException? {
    guard let host = try? Host(exception.key), host.address == nil else { return nil }
    let labels = host.labels
    for count in stride(from: labels.count - 1, to: 0, by: -1) {
      let name = labels.suffix(count).joined(separator: ".") + (host.hasTrailingDot ? "." : "")
      guard let above = try? Host(name), let found = policy.exception(for: above) else { continue }
      if found.includesSubdomains { return found }
    }
    return nil
  }
}
