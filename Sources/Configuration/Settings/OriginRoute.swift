import Names
import Policy

/// The way to an origin.
public enum OriginRoute: Sendable, Hashable {
  /// To its own address.
  case direct
  /// To the place that `upstream.resolve` names.
  case mapped(HostPort)
  /// Through another proxy, which resolves the name.
  case through(UpstreamProxy)
}

extension Configuration {
  /// The way to `target` for clients of a lane; live traffic and `explain` ask this same function.
  ///
  /// `upstream.resolve` comes first: what it names is dialled directly. Then the proxy of the most specific rule, whatever `noProxy`
  /// says; then that of the lane, or else of `upstream`, unless `noProxy` exempts the target.
  ///
  /// - Parameter address: where a redirected client wanted to go, when its name came from SNI.
  public func route(to target: HostPort, lane: Lane, address: IPAddress? = nil) -> OriginRoute {
    if let place = upstream.resolve[target] { return .mapped(place) }
    if let choice = lane.policy.rules.attributes(host: target.host, port: target.port)?.proxy {
      return OriginRoute(choice)
    }
    guard let choice = lane.proxy ?? upstream.proxy.map(ProxyChoice.through),
      !upstream.noProxy.contains(target, address: address)
    else { return .direct }
    return OriginRoute(choice)
  }
}

extension OriginRoute {
  fileprivate init(_ choice: ProxyChoice) {
    switch choice {
    case .direct: self = .direct
    case .through(let proxy): self = .through(proxy)
    }
  }
}
