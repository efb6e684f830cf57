/// An absolute URL as a request names its target. A fragment is dropped, user information is refused.
public struct TargetURL: Sendable {
  public let scheme: Scheme
  public let host: Host
  public let port: UInt16
  /// As written, beginning with `/`.
  public let pathAndQuery: String
  /// Whether the URL had neither path nor query; `OPTIONS` then asks for `*` (RFC 9112, section 3.2.4).
  public let hasEmptyPath: Bool

  /// Refuses spaces and control characters anywhere; other bytes of path and query are kept as they are.
  public init(_ text: String) throws(NameFault) {
    let parts = try URLParts(text)
    guard parts.rest.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else { throw .badCharacter }
    scheme = parts.scheme
    host = parts.host
    port = parts.port
    let kept = Substring(parts.rest.utf8.prefix { $0 != UInt8(ascii: "#") })
    hasEmptyPath = kept.isEmpty
    pathAndQuery = kept.utf8.first == UInt8(ascii: "/") ? String(kept) : "/" + kept
  }

  public var origin: WebOrigin { WebOrigin(scheme: scheme, host: host, port: port) }
}

extension TargetURL: CustomStringConvertible {
  /// In normal form: scheme and host in lower case, the default port left out.
  public var description: String { "\(origin)\(pathAndQuery)" }
}
