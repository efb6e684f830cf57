import Names

extension Refusal {
  /// `objection` is a clause that names the file, as `ImportedPolicy.cleartextObjection` has it.
  static func cleartextForbidden(scheme: Scheme, host: Host, port: UInt16, objection: String) -> Refusal {
    Refusal(
      status: 403, error: .appTransportSecurityRequiresSecureConnection, proxyError: .httpRequestDenied,
      decidedBy: .ats, title: "An imported policy refuses plain HTTP",
      detail: "\(WebOrigin(scheme: scheme, host: host, port: port)) is not encrypted, and \(objection). "
        + "Use \(scheme == .ws ? "wss" : "https"), or change that file.")
  }
}
