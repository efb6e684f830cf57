import Names

/// What is wrong on the device's side, or with the proxy itself. No step decided, so `decidedBy` is nil.
extension Refusal {
  /// 400. `detail` is a clause such as "the header field has no colon"; it must not quote more of the request than is fit for a log.
  public static func malformed(detail: String) -> Refusal {
    Refusal(
      status: 400, error: nil, proxyError: .httpRequestError, decidedBy: nil, title: "The request is malformed",
      detail: "The proxy cannot read this request: \(detail.clause).")
  }

  /// 400, for a target that names no host.
  public static func malformedTarget(_ fault: NameFault) -> Refusal {
    malformed(detail: "the target is wrong, for \(fault)")
  }

  /// 501: an extended CONNECT for something else than a WebSocket (RFC 9220, section 3).
  public static func protocolNotServed(_ name: String) -> Refusal {
    Refusal(
      status: 501, error: nil, proxyError: .httpRequestError, decidedBy: nil, title: "The protocol is not served",
      detail: "The request asks for a tunnel that speaks \"\(name)\"; inside HTTP/2 the proxy carries WebSockets only.")
  }

  /// 421: the request inside a tunnel is for another authority than the tunnel (RFC 9110, section 15.5.20).
  public static func misdirected(tunnel: HostPort) -> Refusal {
    Refusal(
      status: 421, error: nil, proxyError: .httpRequestError, decidedBy: nil,
      title: "This connection is for another host",
      detail: "The tunnel was opened for \(tunnel), and a request inside it names another host or port. "
        + "Send that request over a connection of its own.")
  }

  /// 431. `limit` is in bytes.
  public static func headTooLarge(limit: Int) -> Refusal {
    Refusal(
      status: 431, error: nil, proxyError: .httpRequestError, decidedBy: nil, title: "The request's head is too large",
      detail:
        "Request line and header fields have more than \(limit) bytes. Send fewer or shorter fields (cookies are the "
        + "usual cause), or raise limits.head.")
  }

  /// 408.
  public static func requestTimeout(after limit: Duration) -> Refusal {
    Refusal(
      status: 408, error: nil, proxyError: .httpRequestError, decidedBy: nil,
      title: "The request did not arrive in time",
      detail: "The request's head was not complete after \(limit.words) (limits.headTimeout). Send it again.")
  }

  /// 503.
  public static func connectionLimit(_ limit: Int) -> Refusal {
    Refusal(
      status: 503, error: nil, proxyError: .connectionLimitReached, decidedBy: nil, title: "The proxy has no room",
      detail: "All \(limit) connections are in use (limits.connections). Try again in a moment.")
  }

  /// 500: a fault of the proxy itself, never of device or origin.
  public static func internalError(detail: String) -> Refusal {
    Refusal(
      status: 500, error: .unknown, proxyError: .proxyInternalError, decidedBy: nil, title: "The proxy has failed",
      detail:
        "The proxy could not finish this request: \(detail.clause). This is a fault of the proxy; please report it.")
  }
}
