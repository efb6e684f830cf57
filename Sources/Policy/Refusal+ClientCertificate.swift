import Names

/// What goes wrong about the client certificate that an origin asks for (NSURLError -1205 and -1206).
extension Refusal {
  /// The origin wants a client certificate and got none.
  ///
  /// - Parameter asked: what it asked for and why nothing was sent; nil: not known.
  public static func clientCertificateRequired(host: Host, asked: ClientCertificateFacts? = nil) -> Refusal {
    let cause = asked?.reason.map { "the proxy sent none: \($0)" } ?? "the proxy has none that fits"
    return Refusal(
      status: 502, error: .clientCertificateRequired, proxyError: .tlsAlertReceived, decidedBy: .trust,
      title: "The origin wants a client certificate",
      detail:
        "\(host) asks for a client certificate\(asked?.issuersPhrase ?? ""), and \(cause). Name an identity for \(host) in "
        + "rules.hosts (identity) and give it in identities.")
  }

  /// The origin refused the client certificate that it got.
  ///
  /// - Parameters:
  ///   - identity: the name of the identity.
  ///   - alert: how the origin said so, such as "unknown_ca (48)"; nil: not known.
  public static func clientCertificateRejected(
    host: Host, identity: String, alert: String? = nil, asked: ClientCertificateFacts? = nil
  ) -> Refusal {
    let issuers = asked.map(\.issuersPhrase).flatMap { $0.isEmpty ? nil : " It asked for one\($0)." } ?? ""
    return Refusal(
      status: 502, error: .clientCertificateRejected, proxyError: .tlsAlertReceived, decidedBy: .trust,
      title: "The origin refuses the client certificate",
      detail:
        "\(host) refused the certificate of identities.\(identity)\(alert.map { " with the TLS alert \($0)" } ?? ""): it may "
        + "have expired, or come from an issuer that the origin does not know.\(issuers) Check it with pinwarden identity "
        + "inspect.")
  }
}
