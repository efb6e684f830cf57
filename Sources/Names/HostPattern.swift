/// A pattern for hosts: `a.test` exactly, `*.a.test` one label more, `**.a.test` the name itself and any depth below, `*`
/// everything; each with an optional `:port`.
public struct HostPattern: Sendable {
  enum Shape: Hashable, Sendable {
    case exactly(Host)
    case oneLabelMore(than: Host)
    case anyDepth(below: Host)
    case everything
  }

  let shape: Shape
  /// Nil: every port.
  public let port: UInt16?
  /// As written.
  public let text: String

  /// IPv6 with a port needs brackets; without a port it may do without. A wildcard stands alone or before the first dot.
  public init(_ text: String) throws(NameFault) {
    guard !text.isEmpty else { throw .empty }
    guard text.utf8.count <= 1100 else { throw .tooLong }
    self.text = text
    // More than one colon without a bracket: the whole is an IPv6 address.
    if text.utf8.first != UInt8(ascii: "["), text.utf8.count(where: { $0 == UInt8(ascii: ":") }) > 1 {
      shape = .exactly(try Host(text))
      port = nil
      return
    }
    let parts = try AuthorityParts(text)
    port = try parts.port
    // "a.test:" is a slip rather than "every port".
    if port == nil, text.utf8.last == UInt8(ascii: ":") { throw .badPort("") }
    shape = try Self.shape(parts.host, pattern: text)
  }

  private static func shape(_ name: Substring, pattern: String) throws(NameFault) -> Shape {
    if name == "*" { return .everything }
    let isDeep = name.utf8.starts(with: "**.".utf8)
    let wildcardByteCount = isDeep ? 3 : name.utf8.starts(with: "*.".utf8) ? 2 : 0
    // By bytes: a combining character after the dot would belong to it.
    let suffix = Substring(name.utf8.dropFirst(wildcardByteCount))
    guard !suffix.utf8.contains(UInt8(ascii: "*")) else { throw .badPattern(NameFault.excerpt(pattern)) }
    let host = try Host(String(suffix))
    if wildcardByteCount == 0 { return .exactly(host) }
    // Addresses have no labels: a range belongs into a CIDR.
    guard host.address == nil else { throw .badPattern(NameFault.excerpt(pattern)) }
    return isDeep ? .anyDepth(below: host) : .oneLabelMore(than: host)
  }

  /// Whether the pattern names this target.
  public func matches(host: Host, port: UInt16) -> Bool {
    guard self.port == nil || self.port == port else { return false }
    switch shape {
    case .exactly(let name): return name == host
    case .everything: return true
    case .oneLabelMore(let suffix):
      guard let rest = Self.labels(of: host, before: suffix) else { return false }
      return !rest.utf8.contains(UInt8(ascii: "."))
    case .anyDepth(let suffix): return suffix == host || Self.labels(of: host, before: suffix) != nil
    }
  }

  /// What stands before `.suffix`; nil when the name is not below it. Never empty.
  private static func labels(of host: Host, before suffix: Host) -> Substring? {
    let count = host.text.utf8.count - suffix.text.utf8.count - 1
    guard count > 0, host.address == nil, host.text.hasSuffix(suffix.text) else { return nil }
    let rest = host.text.utf8.prefix(count + 1)
    guard rest.last == UInt8(ascii: ".") else { return nil }
    return Substring(rest.dropLast())
  }
}

extension HostPattern: Hashable {
  /// Two patterns are equal when they mean the same, however they are written.
  public static func == (one: HostPattern, other: HostPattern) -> Bool {
    one.shape == other.shape && one.port == other.port
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(shape)
    hasher.combine(port)
  }
}

extension HostPattern: CustomStringConvertible {
  public var description: String { text }
}
