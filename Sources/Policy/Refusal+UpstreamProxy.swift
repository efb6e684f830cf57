import Names

/// What goes wrong between us and the proxy on the way to an origin (`upstream.proxy`, or that of a rule or a lane). No step decided,
/// so `decidedBy` is nil; what is behind the proxy was never seen.
extension Refusal {
  /// It answered the request for a tunnel, or a plain request, with something else than success.
  /// - Parameter reason: its own words; may be empty.
  public static func upstreamProxyRefuses(_ proxy: UpstreamProxy, host: Host, status: Int, reason: String) -> Refusal {
    let words = printable(reason)
    let answer = words.isEmpty ? "\(status)" : "\(status) (\(words))"
    let advice =
      status == 407
      ? proxy.user == nil
        ? "It wants a user and a password: give them as { url, user, password } where the proxy is named."
        : "It does not accept the user and the password that are configured for it."
      : "Ask whoever runs that proxy, or except \(host) by upstream.noProxy."
    return make(
      status == 407 ? .proxyConfigurationError : .connectionRefused, title: "The upstream proxy refuses",
      detail: "\(proxy) answered \(answer) when it was asked for \(host). \(advice)")
  }

  /// A SOCKS proxy said no; `reply` is the field of RFC 1928, section 6.
  public static func upstreamProxyRefuses(_ proxy: UpstreamProxy, host: Host, reply: UInt8, meaning: String) -> Refusal
  {
    let isRoute = [3, 4, 6].contains(reply)
    return make(
      isRoute ? .destinationUnroutable : .connectionRefused, title: "The upstream proxy refuses",
      detail: "\(proxy) answered with the reply \(reply) (\(meaning)) when it was asked for \(host).")
  }

  /// A SOCKS proxy that wants credentials which we lack, or other ones (RFC 1929).
  public static func upstreamProxyWantsCredentials(_ proxy: UpstreamProxy) -> Refusal {
    make(
      .proxyConfigurationError, title: "The upstream proxy wants credentials",
      detail: proxy.user == nil
        ? "\(proxy) does not serve without a user and a password: give them as { url, user, password } where the proxy is named."
        : "\(proxy) does not accept the user and the password that are configured for it.")
  }

  /// `detail` is a clause: what DNS said.
  public static func upstreamProxyNotFound(_ proxy: UpstreamProxy, detail: String) -> Refusal {
    make(
      .dnsError, title: "The upstream proxy's name is not known",
      detail:
        "Looking up \(proxy.address.host) failed: \(detail.clause). Check upstream.proxy, and the DNS servers of the machine."
    )
  }

  /// `address` as text, with its port; `detail` is a clause.
  public static func upstreamProxyUnreachable(
    _ proxy: UpstreamProxy, address: String, isRefused: Bool
  ) -> Refusal {
    make(
      isRefused ? .connectionRefused : .destinationUnroutable, title: "The upstream proxy cannot be reached",
      detail: isRefused
        ? "\(proxy) at \(address) refused the connection: nothing listens there, or a firewall says no."
        : "This machine has no route to \(proxy) at \(address).")
  }

  /// Its own certificate does not pass; `detail` is a clause.
  public static func upstreamProxyUntrusted(_ proxy: UpstreamProxy, detail: String) -> Refusal {
    make(
      .tlsCertificateError, title: "The upstream proxy is not trusted",
      detail:
        "The certificate of \(proxy) is not accepted: \(detail.clause). Its issuer must be in upstream.anchors, or in the "
        + "system's trust store if that is not set.", error: .secureConnectionFailed)
  }

  /// TLS with the proxy itself came to nothing; `detail` is a clause.
  public static func upstreamProxySpeaksNoTLS(_ proxy: UpstreamProxy, detail: String) -> Refusal {
    make(
      .tlsProtocolError, title: "The upstream proxy does not speak TLS",
      detail:
        "The TLS handshake with \(proxy) failed: \(detail.clause). If it is spoken to in plain text, its URL begins with http://.",
      error: .secureConnectionFailed)
  }

  /// It ended the connection before it had answered.
  public static func upstreamProxyClosed(_ proxy: UpstreamProxy, host: Host) -> Refusal {
    make(
      .connectionTerminated, title: "The upstream proxy closed the connection",
      detail: "\(proxy) closed the connection when it was asked for \(host).", error: .networkConnectionLost)
  }

  /// It answered with something that is no answer; `detail` is a clause or a sentence.
  public static func upstreamProxyConfused(_ proxy: UpstreamProxy, detail: String) -> Refusal {
    make(
      .httpProtocolError, title: "The upstream proxy speaks another protocol",
      detail:
        "What \(proxy) sent is no answer to what it was asked. \(detail.sentence) Check the scheme and the port of its URL.",
      error: .networkConnectionLost)
  }

  /// Name, TCP, TLS with the proxy, its answer, and TLS with the origin together took too long.
  public static func upstreamProxyTimeout(_ proxy: UpstreamProxy, host: Host, after limit: Duration) -> Refusal {
    Refusal(
      status: 504, error: .timedOut, proxyError: .connectionTimeout, decidedBy: nil,
      title: "The way to the origin takes too long",
      detail: "No connection to \(host) through \(proxy) was ready after \(limit.words) (upstream.connectTimeout).")
  }

  private static func make(
    _ type: ProxyErrorType, title: String, detail: String, error: NSURLError = .cannotConnectToHost
  ) -> Refusal {
    Refusal(status: 502, error: error, proxyError: type, decidedBy: nil, title: title, detail: detail)
  }

  /// What a stranger wrote, as it may stand in a sentence.
  private static func printable(_ text: String) -> String {
    String(
      text.unicodeScalars.prefix(100).map { (0x20..<0x7F).contains($0.value) ? Character($0) : "?" })
  }
}
