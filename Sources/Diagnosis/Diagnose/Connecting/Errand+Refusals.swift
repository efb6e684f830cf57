import EventLoop
import Names
import Policy
import TLS

/// The words for what stands in the way, and the head of the request.
extension Errand {
  func refusal(for fault: ResolveFault) -> Refusal {
    switch (fault, proxy) {
    case (.timeout, nil): .dnsTimeout(host: target.host)
    case (.notFound, nil): .nameNotFound(host: firstStop.host)
    case (.failed(let reason), nil): .nameLookupFailed(host: firstStop.host, detail: reason)
    case (.timeout, let proxy?): .upstreamProxyNotFound(proxy, detail: "no DNS server answered in time")
    case (.notFound, let proxy?): .upstreamProxyNotFound(proxy, detail: "DNS has no address for it")
    case (.failed(let reason), let proxy?): .upstreamProxyNotFound(proxy, detail: reason)
    }
  }

  func refusal(for fault: DialFault, at address: SocketAddress?) -> Refusal {
    let address = address.map { "\($0)" } ?? "an unknown address"
    return switch (fault, proxy) {
    case (.timeout, _): timeoutRefusal
    case (.refused, nil): .connectionRefused(host: target.host, address: address)
    case (.unreachable, nil), (.failed, nil): .unroutable(host: target.host, address: address)
    case (.refused, let proxy?): .upstreamProxyUnreachable(proxy, address: address, isRefused: true)
    case (.unreachable, let proxy?), (.failed, let proxy?):
      .upstreamProxyUnreachable(proxy, address: address, isRefused: false)
    }
  }

  var timeoutRefusal: Refusal {
    guard let proxy else { return .connectTimeout(host: target.host, after: timeout) }
    return .upstreamProxyTimeout(proxy, host: target.host, after: timeout)
  }

  /// What a line to the proxy broke for.
  func proxyRefusal(for fault: LineFault, at stage: Attempt.Stage) -> Refusal {
    guard let proxy else { return .originClosed(host: target.host) }
    switch (stage, fault) {
    case (.proxyTLS, .tls(.refusedByJudge)):
      return .upstreamProxyUntrusted(proxy, detail: "no path leads from it to a known root for its name")
    case (.proxyTLS, .tls(.truncated)): return .upstreamProxyClosed(proxy, host: target.host)
    case (.proxyTLS, .tls(let failure)): return .upstreamProxySpeaksNoTLS(proxy, detail: "\(failure)")
    default: return .upstreamProxyClosed(proxy, host: target.host)
    }
  }

  /// A GET that asks for the end of the connection, since only the head of its answer is read.
  func requestHead(_ path: String) -> [UInt8] {
    let standardPort: UInt16 = offer == nil ? 80 : 443
    let authority = target.port == standardPort ? target.host.bracketed : "\(target)"
    let prefix = isForwarded ? "http://\(authority)" : ""
    let credentials = isForwarded ? proxy?.authorizationField ?? "" : ""
    return Array(
      ("GET \(prefix)\(path) HTTP/1.1\r\nHost: \(authority)\r\nUser-Agent: pinwarden\r\nAccept: */*\r\n"
        + "\(credentials)Connection: close\r\n\r\n").utf8)
  }
}

extension Duration {
  /// Whole ones.
  var seconds: Int64 { components.seconds }
}
