import Names
import Policy
import Records

/// How much of a network_security_config.xml recorded traffic needs. App Review does not ask about it, and it says nothing of versions and
/// suites of TLS: only plain HTTP and pins are in it.
public struct AndroidReview: Sendable {
  /// The attribute that permits plain HTTP.
  public static let key = "cleartextTrafficPermitted"
  public static let base = "base-config"

  /// Elements that permit plain HTTP, and that no recorded request needed, by the name of the domain; empty without traffic.
  public let unused: [ATSPermission]
  /// Hosts that were asked in plain HTTP, by name.
  public let plain: [PlainHost]
  /// What was found wrong with the file when it was read.
  public let findings: [Finding]
  /// The smallest file; nil: there is no traffic.
  public let smallest: NetworkSecurityDocument?

  /// A host that was asked in plain HTTP.
  public struct PlainHost: Sendable, Hashable {
    public var host: Host
    public var isOwn: Bool
    public var exchangeCount: Int
    public var last: String
    /// The domain, or `base-config`, by which the file permits it; nil: it does not.
    public var permittedBy: String?
  }

  public init(
    _ config: NetworkSecurityConfig, traffic: RecordedTraffic?, own: OwnHosts, findings: [Finding] = []
  ) {
    self.findings = findings
    let recorded = traffic?.hosts ?? []
    let plain = recorded.compactMap { traffic -> PlainHost? in
      let loads = traffic.loads.filter { !$0.key.load.isSecure }
      guard !loads.isEmpty else { return nil }
      let effective = config.effective(for: traffic.host)
      return PlainHost(
        host: traffic.host, isOwn: own.contains(traffic.host), exchangeCount: loads.values.reduce(0, +),
        last: traffic.last,
        permittedBy: effective.permitsCleartext ? effective.domain?.name ?? Self.base : nil)
    }
    self.plain = plain
    let used = Set(plain.compactMap(\.permittedBy))
    unused =
      traffic == nil
      ? [] : config.permittingPlaces.filter { !used.contains($0) }.map { ATSPermission(Self.key, in: $0) }
    let kept = plain.filter { $0.permittedBy != nil }.map(\.host.text)
    let pins = recorded.filter { own.contains($0.host) && $0.host.address == nil }
      .compactMap { ReviewedPins(proposedFor: $0) }
    smallest = traffic.map { _ in NetworkSecurityDocument(plainHosts: kept, pins: pins) }
  }
}

extension AndroidReview {
  /// `{ file, justifications: [], unused, hosts: [{host, own, exchanges, last, permittedBy}], findings, smallest }`; `smallest` is the text
  /// of a file, or null without traffic.
  public func write(to json: inout JSONText, file: String) {
    json.beginObject()
    json.string("file", file)
    json.beginArray("justifications")
    json.endArray()
    json.beginArray("unused")
    for permission in unused {
      json.beginObject()
      json.string("key", permission.key)
      json.optional("scope", permission.scope)
      json.endObject()
    }
    json.endArray()
    json.beginArray("hosts")
    for host in plain {
      json.beginObject()
      json.string("host", host.host.text)
      json.boolean("own", host.isOwn)
      json.integer("exchanges", host.exchangeCount)
      json.string("last", host.last)
      json.optional("permittedBy", host.permittedBy)
      json.endObject()
    }
    json.endArray()
    json.findings("findings", findings)
    json.optional("smallest", smallest?.text)
    json.endObject()
  }
}
