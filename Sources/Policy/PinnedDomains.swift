import Bytes
import Names

/// `NSPinnedDomains`, read as Apple's trust policy reads it (spec A.9).
///
/// Other than in `NSExceptionDomains`, case does not matter, a subdomain is exactly one label more, and all entries that match count together.
public struct PinnedDomains: Sendable {
  private struct Entry {
    var exact: PinnedIdentities?
    /// Of the entries with `NSIncludesSubdomains`.
    var below: PinnedIdentities?
  }

  private var entries: [Substring: Entry] = [:]

  /// `value` is the value of `NSPinnedDomains`; anything but a dictionary pins nothing.
  public init(_ value: PropertyValue?) {
    for (key, value) in value?.members ?? [:] {
      guard let identities = PinnedIdentities(value), let host = try? Host(key), !host.hasTrailingDot else { continue }
      var entry = entries[host.text[...]] ?? Entry()
      Self.add(identities, to: &entry.exact)
      if value[ATSKey.subdomains] == .boolean(true), host.address == nil { Self.add(identities, to: &entry.below) }
      entries[host.text[...]] = entry
    }
  }

  public var isEmpty: Bool { entries.isEmpty }

  /// The hosts that entries name, by name.
  public var names: [String] { entries.keys.map { String($0) }.sorted() }

  /// nil: the host is not pinned.
  public func identities(for host: Host) -> PinnedIdentities? {
    guard !entries.isEmpty else { return nil }
    var found = entries[host.text[...]]?.exact
    if host.address == nil, let dot = host.text.utf8.firstIndex(of: UInt8(ascii: ".")),
      let below = entries[host.text[host.text.utf8.index(after: dot)...]]?.below
    {
      Self.add(below, to: &found)
    }
    return found
  }

  private static func add(_ identities: PinnedIdentities, to sum: inout PinnedIdentities?) {
    guard var union = sum else {
      sum = identities
      return
    }
    union.formUnion(identities)
    sum = union
  }
}

extension PinnedIdentities {
  /// One entry; nil when it has neither list and so pins nothing.
  public init?(_ entry: PropertyValue) {
    leaf = Self.digests(entry[ATSKey.pinnedLeaves])
    ca = Self.digests(entry[ATSKey.pinnedAuthorities])
    guard leaf != nil || ca != nil else { return nil }
  }

  /// A key that is present pins, whatever stands there; elements that cannot be read are skipped, and lengths are not checked.
  private static func digests(_ value: PropertyValue?) -> Set<[UInt8]>? {
    guard let value, value != .null else { return nil }
    return Set((value.elements ?? []).compactMap { $0[ATSKey.digest]?.text.flatMap(Base64.decode) })
  }
}
