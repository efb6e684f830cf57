import Configuration
import EventLoop
import Names
import Policy

/// The way to the origin of a plan, and what may stand in it.
extension OriginPlan {
  /// The other proxy on the way; nil: none.
  var proxy: UpstreamProxy? {
    guard case .through(let proxy) = route else { return nil }
    return proxy
  }

  /// It as records name it.
  var proxyText: String? { proxy.map { "\($0)" } }

  /// Where to connect first.
  static func destination(_ key: Key, _ route: OriginRoute, _ redirections: Redirections) -> Destination {
    switch route {
    case .mapped(let place): return Destination(place)
    case .through(let proxy): return Destination(redirections[proxy.address] ?? proxy.address)
    case .direct:
      if let dialled = key.dialled, let known = SocketAddress(ip: dialled.bytes, port: key.port) {
        return .addresses([known])
      }
      return Destination(HostPort(host: key.host, port: key.port))
    }
  }

  /// How plain requests go to an HTTP proxy; nil: not at all, everything goes through a tunnel.
  func forwarding(on layer: OriginAttempt.Layer) -> ProxyForwarding? {
    guard layer == .full, requirements == nil, let proxy, proxy.kind != .socks5 else { return nil }
    return ProxyForwarding(proxy: proxy, prefix: Array("http://\(authorityText)".utf8))
  }

  /// What forbids to go there, as far as it is known before any name is looked up. The target guard judges the target itself, even
  /// if another proxy would connect to it; a name that only that proxy resolves is beyond it.
  func obstacle(_ worker: Worker) -> Refusal? {
    if case .addresses(let addresses) = destination, addresses.contains(where: worker.isOwnListener) {
      return .loop(.ownListener, host: proxy?.address.host ?? key.host)
    }
    guard let address = knownAddress else { return nil }
    if proxy != nil, let place = SocketAddress(ip: address.bytes, port: key.port), worker.isOwnListener(place) {
      return .loop(.ownListener, host: key.host)
    }
    return isProhibited(address) ? .destinationProhibited(host: key.host, address: address) : nil
  }

  /// The address of the target that is known without DNS (RFC 6761, section 6.3, has `localhost` as loopback).
  private var knownAddress: IPAddress? {
    if let address = key.dialled ?? key.host.address { return address }
    guard proxy != nil, key.host.text == "localhost" || key.host.text.hasSuffix(".localhost") else { return nil }
    return .v4(0x7F00_0001)
  }

  // MARK: what the device is told

  func refusal(for fault: ResolveFault) -> Refusal {
    switch (fault, proxy) {
    case (.timeout, nil): .dnsTimeout(host: key.host)
    case (.notFound, nil): .nameNotFound(host: key.host)
    case (.failed(let reason), nil): .nameLookupFailed(host: key.host, detail: reason)
    case (.timeout, let proxy?): .upstreamProxyNotFound(proxy, detail: "no DNS server answered in time")
    case (.notFound, let proxy?): .upstreamProxyNotFound(proxy, detail: "DNS has no address for it")
    case (.failed(let reason), let proxy?): .upstreamProxyNotFound(proxy, detail: reason)
    }
  }

  func refusal(for fault: DialFault, at address: SocketAddress?) -> Refusal {
    let address = address.map { "\($0)" } ?? "an unknown address"
    return switch (fault, proxy) {
    case (.timeout, _): timeout
    case (.refused, nil): .connectionRefused(host: key.host, address: address)
    case (.unreachable, nil), (.failed, nil): .unroutable(host: key.host, address: address)
    case (.refused, let proxy?): .upstreamProxyUnreachable(proxy, address: address, isRefused: true)
    case (.unreachable, let proxy?), (.failed, let proxy?):
      .upstreamProxyUnreachable(proxy, address: address, isRefused: false)
    }
  }

  /// `upstream.connectTimeout` is over.
  var timeout: Refusal {
    guard let proxy else { return .connectTimeout(host: key.host, after: connectTimeout) }
    return .upstreamProxyTimeout(proxy, host: key.host, after: connectTimeout)
  }
}

/// How a plain request goes to an HTTP proxy: with an absolute target and the proxy's credentials (RFC 9112, section 3.2.2).
struct ProxyForwarding {
  let proxy: UpstreamProxy
  /// Scheme and authority of the target.
  let prefix: [UInt8]

  /// The target as the proxy gets it; `*` asks about the origin as a whole (RFC 9112, section 3.2.4).
  func target(_ path: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    path == [UInt8(ascii: "*")] ? prefix[...] : (prefix + path)[...]
  }
}

extension OriginPlan.Destination {
  init(_ place: HostPort) {
    if let address = place.host.address, let known = SocketAddress(ip: address.bytes, port: place.port) {
      self = .addresses([known])
    } else {
      self = .name(place.host.text, port: place.port)
    }
  }
}
