import Names

/// What the decision refuses (contract, section 3).
///
/// Texts are ASCII but for a rule's pattern, which stands there as its author wrote it.
extension Refusal {
  /// 407: the proxy wants credentials, or other ones.
  public static func accessDenied() -> Refusal {
    Refusal(
      status: 407, error: nil, proxyError: .httpRequestDenied, decidedBy: .access,
      title: "The proxy wants a user name and a password",
      detail: "access.credentials is set, and the request had no Proxy-Authorization that fits. "
        + "Enter user name and password in the device's proxy settings.")
  }

  public static func loop(_ evidence: LoopEvidence, host: Host) -> Refusal {
    Refusal(
      status: 508, error: .tooManyRedirects, proxyError: .proxyLoopDetected, decidedBy: .loop,
      title: "The request came back to the proxy",
      detail: evidence == .ownListener
        ? "\(host) leads to a listener of this proxy itself. Ask for http://pinwarden.internal/ to reach its own pages, "
          + "and check upstream.resolve and DNS for this name."
        : "A Via field says that this request for \(host) has been through this proxy already. "
          + "Check upstream.proxy and DNS for this name.")
  }

  public static func destinationProhibited(host: Host, address: IPAddress) -> Refusal {
    Refusal(
      status: 403, error: .cannotConnectToHost, proxyError: .destinationProhibited, decidedBy: .target,
      title: "This address is closed to devices",
      detail:
        "\(host) is at \(address), an address of the proxy's own machine or link, which only clients on loopback may "
        + "reach. To open it, add allowAddresses to the entry of rules.hosts for \(host).")
  }

  public static func ruleRejects(rule: String, host: Host) -> Refusal {
    Refusal(
      status: 403, error: .unknown, proxyError: .httpRequestDenied, decidedBy: .rule, title: "A rule rejects this host",
      detail:
        "The entry \"\(rule)\" of rules.hosts rejects \(host). To let it through, change the action of that entry "
        + "or add a more specific one.")
  }

  public static func defaultRejects(host: Host) -> Refusal {
    Refusal(
      status: 403, error: .unknown, proxyError: .httpRequestDenied, decidedBy: .default,
      title: "The rules let only named hosts through",
      detail: "rules.default is reject, and neither rules.hosts nor rules.whitelist names \(host). "
        + "To let it through, add an entry to rules.hosts.")
  }

  /// `reason` is a clause that names the key which decided, as `CleartextVerdict.reason` has it.
  public static func cleartext(scheme: Scheme, host: Host, port: UInt16, reason: String) -> Refusal {
    cleartext(
      "\(WebOrigin(scheme: scheme, host: host, port: port)) is not encrypted, and App Transport Security refuses it: "
        + "\(reason.clause). Use \(scheme == .ws ? "wss" : "https"), or give \(host) an entry in NSExceptionDomains with "
        + "NSExceptionAllowsInsecureHTTPLoads.")
  }

  /// With `ats.mode: "off"`: plain HTTP passes only where it was named.
  public static func cleartextNotBypassed(scheme: Scheme, host: Host, port: UInt16) -> Refusal {
    cleartext(
      "\(WebOrigin(scheme: scheme, host: host, port: port)) is not encrypted. With ats.mode off plain HTTP passes only "
        + "where rules.hosts or rules.whitelist bypasses the host. Use \(scheme == .ws ? "wss" : "https"), or name "
        + "\(host) there.")
  }

  private static func cleartext(_ detail: String) -> Refusal {
    Refusal(
      status: 403, error: .appTransportSecurityRequiresSecureConnection, proxyError: .httpRequestDenied,
      decidedBy: .ats, title: "App Transport Security refuses plain HTTP", detail: detail)
  }
}
