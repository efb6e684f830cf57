/// Scheme, host and port: what a whitelist names (RFC 6454, section 4).
public struct WebOrigin: Sendable {
  public let scheme: Scheme
  public let host: Host
  public let port: UInt16

  public init(scheme: Scheme, host: Host, port: UInt16) {
    self.scheme = scheme
    self.host = host
    self.port = port
  }

  /// `scheme://host[:port]`; nothing may follow but one `/`.
  public init(_ text: String) throws(NameFault) {
    let parts = try URLParts(text)
    guard parts.rest.isEmpty || parts.rest == "/" else { throw .notAnOrigin(NameFault.excerpt(parts.rest)) }
    self.init(scheme: parts.scheme, host: parts.host, port: parts.port)
  }
}

extension WebOrigin: Hashable {
  /// Leaves the scheme out: hashing an enumeration of strings hashes the string, and origins that differ in it alone are rare.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(host)
    hasher.combine(port)
  }
}

extension WebOrigin: CustomStringConvertible {
  /// Without the scheme's default port.
  public var description: String {
    port == scheme.defaultPort
      ? "\(scheme.rawValue)://\(host.bracketed)" : "\(scheme.rawValue)://\(host.bracketed):\(port)"
  }
}

/// An absolute URL cut after its authority (RFC 3986, section 3).
struct URLParts {
  let scheme: Scheme
  let host: Host
  let port: UInt16
  /// Path, query and fragment as they stand.
  let rest: Substring

  init(_ text: String) throws(NameFault) {
    let bytes = text.utf8
    // The scheme is looked for where it can be, so that a long text without one costs nothing.
    guard !bytes.isEmpty else { throw .empty }
    guard let colon = bytes.prefix(32).firstIndex(of: UInt8(ascii: ":")) else {
      throw .badScheme(NameFault.excerpt(Substring(text.unicodeScalars.prefix(32))))
    }
    let afterColon = text[bytes.index(after: colon)...]
    guard let scheme = Scheme(name: text[..<colon]), afterColon.utf8.starts(with: "//".utf8) else {
      throw .badScheme(NameFault.excerpt(text[..<colon]))
    }
    let afterSlashes = Substring(afterColon.utf8.dropFirst(2))
    let end =
      afterSlashes.utf8.firstIndex {
        $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#")
      } ?? afterSlashes.endIndex
    let authority = afterSlashes[..<end]
    guard !authority.utf8.contains(UInt8(ascii: "@")) else { throw .userInformation }
    let parts = try AuthorityParts(authority)
    self.scheme = scheme
    host = try Host(String(parts.host))
    port = try parts.port ?? scheme.defaultPort
    rest = afterSlashes[end...]
  }
}
