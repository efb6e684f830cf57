public import Configuration
import EventLoop
import Names
public import Records

/// Whom the site's own listener serves, and what it tells of the proxy. A value; a reload makes another.
public struct OnboardingTerms: Sendable {
  private let configuration: Configuration
  private let site: any InternalSite
  /// Where a listener that takes explicit proxy requests really listens; nil: there is none that a device could be told of.
  private let proxy: SocketAddress?

  /// - Parameters:
  ///   - configuration: says whom `access.clients` admits and which lanes there are.
  ///   - proxy: `host:port` of the listener that devices should use; nil: there is none.
  public init(_ configuration: Configuration, site: any InternalSite, proxy: String?) {
    self.configuration = configuration
    self.site = site
    self.proxy = proxy.flatMap(SocketAddress.parse)
  }

  func admits(_ client: SocketAddress) -> Bool {
    configuration.access.admits(Self.ip(client))
  }

  func answer(_ request: InternalRequest, client: SocketAddress, local: SocketAddress?) -> InternalAnswer {
    var request = request
    let address = Self.ip(client)
    request.way = .direct
    request.client = address.map { "\($0)" } ?? ""
    // The device will come by that listener, if it comes by any.
    let listener = configuration.listeners.first { $0.mode == .explicit }
    request.lane = configuration.lane(client: address, listenerLane: listener?.lane ?? "default", user: nil).name
    request.proxy = proxyText(local: local)
    return site.answer(request)
  }

  /// A listener on every address is reached by the one that the device knows already.
  private func proxyText(local: SocketAddress?) -> String {
    guard let proxy, let port = proxy.port, let ip = Self.ip(proxy) else { return "" }
    guard ip.isUnspecified, let local, Self.ip(local) != nil else { return "\(proxy)" }
    return "\(local.with(port: port))"
  }

  private static func ip(_ address: SocketAddress) -> IPAddress? {
    address.ipBytes.flatMap(IPAddress.init(bytes:))?.unmapped
  }
}
