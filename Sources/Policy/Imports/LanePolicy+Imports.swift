import Names

extension LanePolicy {
  /// Why an import forbids plain HTTP to this host; nil: none does.
  ///
  /// An import can only forbid. It has its say in every `ats.mode`: with `observe` it is recorded like a violation, with `off` it counts for
  /// what a rule or the whitelist bypasses.
  func importObjection(toCleartextOf host: Host) -> String? {
    imports.lazy.compactMap { $0.cleartextObjection(host: host) }.first
  }
}

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
