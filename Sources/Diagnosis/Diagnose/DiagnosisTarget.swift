import Names

/// An origin to look at, as it is named on the command line.
public struct DiagnosisTarget: Sendable {
  public let host: Host
  /// Where TLS is spoken.
  public let port: UInt16
  /// Where plain HTTP is looked for.
  public let plainPort: UInt16
  /// What is asked for, beginning with `/`.
  public let pathAndQuery: String

  /// Reads a host, a host with a port, an address, or a URL. An `http` URL on port 80 stands for the https origin beside it.
  public init(_ text: String) throws(NameFault) {
    if text.contains("/") {
      try self.init(TargetURL(text.contains("://") ? text : "https://\(text)"))
    } else {
      try self.init(Self.place(text), pathAndQuery: "/")
    }
  }

  private init(_ url: TargetURL) {
    host = url.host
    pathAndQuery = url.pathAndQuery
    let isPlain = !url.scheme.isSecure
    port = isPlain && url.port == 80 ? 443 : url.port
    plainPort = isPlain ? url.port : 80
  }

  private init(_ place: HostPort, pathAndQuery: String) {
    host = place.host
    port = place.port
    plainPort = 80
    self.pathAndQuery = pathAndQuery
  }

  /// IPv6 without brackets has no port.
  private static func place(_ text: String) throws(NameFault) -> HostPort {
    if let host = try? Host(text), case .v6? = host.address { return HostPort(host: host, port: 443) }
    return try HostPort(authority: text, defaultPort: 443)
  }

  /// `a.test`, or `a.test:8443` where the port is another one.
  public var name: String { port == 443 ? host.bracketed : "\(host.bracketed):\(port)" }

  public var url: String { "https://\(name)\(pathAndQuery)" }

  /// The key that stands for the host in `NSExceptionDomains`: no port, no brackets, and a trailing dot if the host has one.
  public var exceptionKey: String { host.hasTrailingDot ? host.text + "." : host.text }
}
