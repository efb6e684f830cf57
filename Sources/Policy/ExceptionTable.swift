import Names

/// `NSExceptionDomains` compiled for look-up, which allocates nothing.
///
/// Names are normalised as hosts are, but a trailing dot keeps its meaning: `example.com.` and `example.com` are two names to Apple (spec A.5), so
/// there are two tables.
struct ExceptionTable: Sendable {
  private let names: NamedExceptions
  private let dottedNames: NamedExceptions
  private let addresses: [IPAddress: DomainException]
  private let ranges: RangeTable<DomainException>

  init(_ value: PropertyValue?, profile: ATSProfile, builtIns: [DomainException]) {
    var contents = Contents()
    // Of two keys with one meaning ("A.test", "a.test") the first counts: the one that is written as Apple wants it. A key of the app
    // takes the place of a built-in one.
    let written = (value?.members ?? [:]).compactMap { key, value in
      value.members.map { DomainException(key: key, members: $0, profile: profile) }
    }
    for exception in written.sorted(by: Self.precedes) + builtIns { contents.add(exception, profile) }
    names = NamedExceptions(contents.names)
    dottedNames = NamedExceptions(contents.dottedNames)
    addresses = contents.addresses
    ranges = RangeTable(contents.ranges)
  }

  private static func precedes(_ one: DomainException, _ other: DomainException) -> Bool {
    one.isNormalKey == other.isNormalKey ? one.key < other.key : one.isNormalKey
  }

  /// The entry that decides for this host: the exact one, else the nearest parent that includes subdomains; for an address the exact one, else
  /// the longest range.
  func find(_ host: Host) -> DomainException? {
    if let address = host.address { return addresses[address] ?? ranges.value(address) }
    return host.hasTrailingDot ? dottedNames.find(host) : names.find(host)
  }
}

/// Entries for names that are spelt alike: all with a trailing dot, or all without.
private struct NamedExceptions: Sendable {
  private let index: HostIndex
  private let exceptions: [DomainException]

  init(_ entries: [(pattern: HostPattern, value: DomainException)]) {
    index = HostIndex(entries.map(\.pattern))
    exceptions = entries.map(\.value)
  }

  func find(_ host: Host) -> DomainException? { index.position(host: host, port: 0).map { exceptions[$0] } }
}

/// The entries of a table by the kind of their key, as they are collected.
private struct Contents {
  var names: [(pattern: HostPattern, value: DomainException)] = []
  var dottedNames: [(pattern: HostPattern, value: DomainException)] = []
  var addresses: [IPAddress: DomainException] = [:]
  var ranges: [(range: CIDR, value: DomainException)] = []
  private var taken: Set<String> = []

  mutating func add(_ exception: DomainException, _ profile: ATSProfile) {
    if exception.key.utf8.contains(UInt8(ascii: "/")) {
      guard profile.readsAddressKeys, case .range(let range) = AddressRangeKey(exception.key) else { return }
      ranges.append((range, exception))
      return
    }
    guard let host = try? Host(exception.key) else { return }
    if let address = host.address {
      if profile.readsAddressKeys { addresses[address] = addresses[address] ?? exception }
      return
    }
    // An entry that loses against one of the same name loses wholly, with its subdomains.
    guard taken.insert(host.hasTrailingDot ? host.text + "." : host.text).inserted else { return }
    let entries = HostPattern.covering(host, includingSubdomains: exception.includesSubdomains)
      .map { (pattern: $0, value: exception) }
    if host.hasTrailingDot { dottedNames += entries } else { names += entries }
  }
}

extension DomainException {
  /// Written as Apple compares it: an equal name in another spelling has to give way to this one.
  fileprivate var isNormalKey: Bool {
    guard let host = try? Host(key) else { return true }
    return key == (host.hasTrailingDot ? host.text + "." : host.text)
  }
}

extension HostPattern {
  /// The pattern that matches the name alone, and with its subdomains the one that has all of them; no port is told.
  fileprivate static func covering(_ host: Host, includingSubdomains: Bool) -> [HostPattern] {
    [includingSubdomains ? "**.\(host.text)" : host.text].compactMap { try? HostPattern($0) }
  }
}
