import Names

/// Pinned hosts as RFC 7469 notes them: the host itself first, else the nearest domain above it that includes its subdomains.
public struct HTTPKeyPins: Sendable {
  public struct Entry: Sendable {
    public var pins: Set<Pin>
    public var includesSubdomains: Bool
    /// False for `Public-Key-Pins-Report-Only`.
    public var enforce: Bool

    public init(pins: Set<Pin>, includesSubdomains: Bool, enforce: Bool) {
      self.pins = pins
      self.includesSubdomains = includesSubdomains
      self.enforce = enforce
    }
  }

  let entries: [String: Entry]

  public init(_ entries: [Host: Entry]) {
    self.entries = Dictionary(entries.map { ($0.key.text, $0.value) }, uniquingKeysWith: { first, _ in first })
  }

  func demand(host: Host, _ source: ImportSource) -> ImportDemand? {
    for name in host.nameAndParents {
      guard let entry = entries[name], name == host.text || entry.includesSubdomains else { continue }
      return ImportDemand(
        source: source, entry: name, includesSubdomains: entry.includesSubdomains, keys: .chain(entry.pins),
        enforce: entry.enforce)
    }
    return nil
  }
}

extension Host {
  /// The name itself, then what is behind each dot, the longest first; an address has no parents.
  var nameAndParents: [String] {
    guard address == nil else { return [text] }
    var names = [text]
    var rest = text[...].utf8
    while let dot = rest.firstIndex(of: UInt8(ascii: ".")) {
      rest = rest[rest.index(after: dot)...]
      names.append(String(Substring(rest)))
    }
    return names
  }
}
