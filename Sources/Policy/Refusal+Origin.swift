import Names

/// What goes wrong on the way to an origin. No step decided, so `decidedBy` is nil but where a certificate is at stake.
extension Refusal {
  public static func nameNotFound(host: Host) -> Refusal {
    Refusal(
      status: 502, error: .cannotFindHost, proxyError: .dnsError, decidedBy: nil, title: "The host is not known",
      detail: "DNS has no address for \(host). Check the spelling, and the DNS servers of the proxy's machine.")
  }

  /// `detail` is a clause: what the name server said.
  public static func nameLookupFailed(host: Host, detail: String) -> Refusal {
    Refusal(
      status: 502, error: .cannotFindHost, proxyError: .dnsError, decidedBy: nil,
      title: "The host could not be looked up",
      detail: "Looking up \(host) failed: \(detail.clause). Check the DNS servers of the proxy's machine.")
  }

  public static func dnsTimeout(host: Host) -> Refusal {
    Refusal(
      status: 504, error: .timedOut, proxyError: .dnsTimeout, decidedBy: nil, title: "DNS did not answer",
      detail: "No DNS server answered in time for \(host). Check the DNS servers of the proxy's machine.")
  }

  /// `address` as text, with its port.
  public static func connectionRefused(host: Host, address: String) -> Refusal {
    Refusal(
      status: 502, error: .cannotConnectToHost, proxyError: .connectionRefused, decidedBy: nil,
      title: "The origin refuses connections",
      detail: "\(host) at \(address) refused the connection: nothing listens there, or a firewall says no.")
  }

  /// `address` as text, with its port.
  public static func unroutable(host: Host, address: String) -> Refusal {
    Refusal(
      status: 502, error: .cannotConnectToHost, proxyError: .destinationUnroutable, decidedBy: nil,
      title: "The origin cannot be reached",
      detail: "The proxy's machine has no route to \(host) at \(address). Check its network.")
  }

  /// Name, TCP and TLS together took too long.
  public static func connectTimeout(host: Host, after limit: Duration) -> Refusal {
    Refusal(
      status: 504, error: .timedOut, proxyError: .connectionTimeout, decidedBy: nil,
      title: "The origin does not answer",
      detail: "No connection to \(host) was ready after \(limit.words) (upstream.connectTimeout).")
  }

  /// Connected, but no byte of a response came.
  public static func originSilent(host: Host, after limit: Duration) -> Refusal {
    Refusal(
      status: 504, error: .timedOut, proxyError: .connectionReadTimeout, decidedBy: nil,
      title: "The origin sends no response",
      detail: "\(host) took the request but sent nothing for \(limit.words) (limits.requestTimeout).")
  }

  public static func originClosed(host: Host) -> Refusal {
    Refusal(
      status: 502, error: .networkConnectionLost, proxyError: .connectionTerminated, decidedBy: nil,
      title: "The origin closed the connection",
      detail:
        "\(host) closed the connection before its response was complete. Whether it acted on the request is not known.")
  }

  /// The origin reset the HTTP/2 stream of the request; `code` as RFC 9113, section 7, names it.
  public static func originReset(host: Host, code: String) -> Refusal {
    Refusal(
      status: 502, error: .networkConnectionLost, proxyError: .connectionTerminated, decidedBy: nil,
      title: "The origin broke off its response",
      detail: "\(host) reset the HTTP/2 stream of the request with \(code) before its response was complete.")
  }

  /// `detail` is a clause: what was read instead.
  public static func originSpokeNoHTTP(host: Host, detail: String) -> Refusal {
    Refusal(
      status: 502, error: .networkConnectionLost, proxyError: .httpProtocolError, decidedBy: nil,
      title: "The origin does not speak HTTP",
      detail: "What \(host) sent is no HTTP response: \(detail.clause).")
  }
}
