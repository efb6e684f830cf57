import Names

/// `NSExceptionDomains` compiled for look-up: dictionaries by name, ranges longest first.
///
/// Names are normalised as hosts are, but a trailing dot keeps its meaning: `example.com.` and `example.com` are two names to Apple (spec A.5), so
/// there are two tables. Keys are substrings, so that a host's parents are looked up without making strings.
struct ExceptionTable: Sendable {
  private var names: [Substring: DomainException] = [:]
  private var dottedNames: [Substring: DomainException] = [:]
  private var addresses: [IPAddress: DomainException] = [:]
  private var ranges: [(range: CIDR, exception: DomainException)] = []
  /// Whether looking at parents can find anything.
  private var coversSubdomains = false

  init(_ value: PropertyValue?, profile: ATSProfile, builtIns: [DomainException]) {
    for exception in builtIns { add(exception, profile) }
    // Sorted, so that of two keys with one meaning ("A.test", "a.test") the same one counts each time: the one that is written as Apple wants it.
    for (key, value) in (value?.members ?? [:]).sorted(by: { $0.key < $1.key }) {
      guard let members = value.members else { continue }
      add(DomainException(key: key, members: members, profile: profile), profile)
    }
    ranges.sort { $0.range.prefixLength > $1.range.prefixLength }
  }

  private mutating func add(_ exception: DomainException, _ profile: ATSProfile) {
    if exception.key.utf8.contains(UInt8(ascii: "/")) {
      guard profile.readsAddressKeys, case .range(let range) = AddressRangeKey(exception.key) else { return }
      ranges.append((range, exception))
      return
    }
    guard let host = try? Host(exception.key) else { return }
    if let address = host.address {
      if profile.readsAddressKeys { addresses[address] = exception }
      return
    }
    coversSubdomains = coversSubdomains || exception.includesSubdomains
    if host.hasTrailingDot {
      dottedNames[host.text[...]] = exception
    } else {
      names[host.text[...]] = exception
    }
  }

  /// The entry that decides for this host: the exact one, else the nearest parent that includes subdomains; for an address the exact one, else
  /// the longest range.
  func find(_ host: Host) -> DomainException? {
    if let address = host.address {
      return addresses[address] ?? ranges.first { $0.range.contains(address) }?.exception
    }
    let table = host.hasTrailingDot ? dottedNames : names
    guard !table.isEmpty else { return nil }
    var name = host.text[...]
    if let exact = table[name] { return exact }
    guard coversSubdomains else { return nil }
    while let dot = name.utf8.firstIndex(of: UInt8(ascii: ".")) {
      name = name[name.utf8.index(after: dot)...]
      if let parent = table[name], parent.includesSubdomains { return parent }
    }
    return nil
  }
}
