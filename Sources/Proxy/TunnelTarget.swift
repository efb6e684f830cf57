import Names
import Policy

/// Where a tunnel leads, and how that was said.
struct TunnelTarget {
  enum Kind { case connect, socks, transparent }

  /// The name, or address, that decides, is verified and names the leaf.
  var target: HostPort
  var kind: Kind
  /// What is spoken inside, once it is known.
  var scheme = Scheme.https
  /// The address to connect to when the name came from SNI.
  var dialled: IPAddress?
  /// What the User-Agent of the CONNECT told; nil where there was none. It holds for what comes before the first request, and for requests
  /// without a User-Agent of their own.
  let agentContext: Context?

  init(target: HostPort, kind: Kind, agentContext: Context? = nil) {
    self.target = target
    self.kind = kind
    self.agentContext = agentContext
  }

  func with(scheme: Scheme) -> TunnelTarget {
    var next = self
    next.scheme = scheme
    return next
  }

  /// For an address target the SNI gives the name (contract, section 3); otherwise the CONNECT name stays, whatever the SNI says.
  func named(by serverName: String?) -> TunnelTarget {
    guard let address = target.host.address, let serverName, let host = try? Host(serverName), host.address == nil
    else {
      return self
    }
    var next = self
    next.target = HostPort(host: host, port: target.port)
    next.dialled = address
    return next
  }
}

extension TunnelTarget {
  /// For the address of a client that does not know of the proxy, or of one that uses SOCKS, plain HTTP names the host itself: by its
  /// Host field, or an absolute target. The connection still goes to the address.
  func named(byAuthority authority: @autoclosure () -> String?) -> TunnelTarget {
    guard kind != .connect, scheme == .http, let address = target.host.address, let text = authority(),
      let named = try? HostPort(authority: text, defaultPort: scheme.defaultPort), named.port == target.port,
      named.host.address == nil
    else { return self }
    var next = self
    next.target = named
    next.dialled = address
    return next
  }
}

/// The name under which the proxy answers itself.
enum InternalHost {
  static let name = "pinwarden.internal"
}
