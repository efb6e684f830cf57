import Names

/// Pins by host patterns: all patterns that match a host count together (OkHttp's `CertificatePinner`, spec D.3).
///
/// A pattern is a name, `*.` and a name (exactly one label more) or `**.` and a name (that name and any depth below). curl's lists and folders
/// of certificates, which do not name hosts themselves, use the same patterns.
public struct PatternPins: Sendable {
  /// Where a pinned key must stand.
  public enum Place: Sendable {
    case chain, leaf
  }

  public struct Entry: Sendable {
    public var pattern: HostPattern
    public var pins: Set<Pin>

    public init(pattern: HostPattern, pins: Set<Pin>) {
      self.pattern = pattern
      self.pins = pins
    }
  }

  /// More patterns than this are too many to be looked through for each new origin.
  public static let maximumEntryCount = 10_000

  public let entries: [Entry]
  private let place: Place

  public init(_ entries: [Entry], place: Place = .chain) {
    self.entries = entries
    self.place = place
  }

  func demand(host: Host, port: UInt16, _ source: ImportSource) -> ImportDemand? {
    let found = entries.filter { $0.pattern.matches(host: host, port: port) }
    guard !found.isEmpty else { return nil }
    let pins = found.reduce(into: Set<Pin>()) { $0.formUnion($1.pins) }
    var names: [String] = []
    for entry in found where !names.contains(entry.pattern.text) { names.append(entry.pattern.text) }
    return ImportDemand(
      source: source, entry: names.joined(separator: ", "),
      includesSubdomains: names.contains { $0.utf8.first == UInt8(ascii: "*") },
      keys: place == .leaf ? .leaf(pins) : .chain(pins))
  }
}
