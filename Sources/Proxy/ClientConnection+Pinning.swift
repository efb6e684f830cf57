import Bytes
import Configuration
import EventLoop
import Names
import Policy
import Records
import TLS

/// Clients that do not accept our certificate: because they pin the origin's, or do not trust our authority.
extension ClientConnection {
  /// A connection that ends sooner after its handshake, without a byte, was not merely left unused.
  private static let hesitation: UInt64 = 2_000_000_000

  /// The handshake with our leaf failed.
  func handshakeFailed(_ failure: TransportFailure) {
    worker.counters.clientHandshake(.failed)
    guard let tunnel else { return close() }
    if let rejection = CertificateRejection(failure, at: transport.session?.stage ?? .hello) {
      refusedCertificate(rejection, tunnel)
    } else {
      var detail = "the client ended the TLS handshake"
      if case .tls(let fault) = failure { detail = "\(fault)" }
      recordTunnel(tunnel, detail: detail)
    }
    close()
  }

  /// What came first over a finished handshake: a request, or the end.
  func firstBytesReceived() {
    guard let began = unprovedSince, let tunnel else { return }
    guard transport.received.isEmpty else {
      unprovedSince = nil
      return generation.pinning.accepted(
        by: clientAddress, for: tunnel.target.host, lane: lane.name, at: worker.loop.now)
    }
    if transport.hasEnded { leftUnused(since: began, .unused, tunnel) }
  }

  /// The connection broke over which nothing had come yet.
  func securedFailed(_ failure: TransportFailure) {
    guard let began = unprovedSince, let tunnel else { return }
    leftUnused(since: began, CertificateRejection(failure, at: .hello) ?? .unused, tunnel)
  }

  private func leftUnused(since began: UInt64, _ rejection: CertificateRejection, _ tunnel: TunnelTarget) {
    unprovedSince = nil
    // A session that is resumed shows no certificate that could be refused.
    guard transport.session?.negotiated?.resumed != true else { return }
    guard rejection != .unused || worker.loop.now &- began < Self.hesitation else { return }
    refusedCertificate(rejection, tunnel)
  }

  private func refusedCertificate(_ rejection: CertificateRejection, _ tunnel: TunnelTarget) {
    recordTunnel(tunnel, isSuspectedPinning: true, detail: rejection.clause)
    // Browsers connect ahead and then need nothing, which says nothing about trust.
    if tunnel.target.host.text == InternalHost.name, rejection != .unused {
      worker.shared.site.certificateRefused(client: deviceText, lane: lane.name, detail: rejection.clause)
    }
    let suspicion = generation.pinning.refused(
      rejection, by: clientAddress, for: tunnel.target.host, lane: lane.name, at: worker.loop.now)
    guard let suspicion else { return }
    let client = clientAddress.map { "\($0)" } ?? clientText
    let plan = plan(scheme: .https, target: tunnel.target, context: .app, dialled: tunnel.dialled)
    let advice = PinningAdvice(
      suspicion: suspicion, target: tunnel.target, lane: lane.name, failsOpen: lane.failOpen && plan.mayFailOpen)
    worker.shared.warnOnce(
      LogEvent(
        .warning, "pinning-suspected",
        [
          ("lane", .text(lane.name)), ("client", .text(client)), ("host", .text(tunnel.target.host.text)),
          ("reason", .text(suspicion.rawValue)), ("refusals", .number(PinningTable.threshold)),
          ("detail", .text(advice.text)),
        ]), about: "\(lane.name) \(client) \(tunnel.target.host)")
  }

  /// Whether a tunnel that would be intercepted passes unseen, because its client seems to pin the host and its lane fails open.
  func failsOpen(_ plan: OriginPlan, _ target: TunnelTarget) -> Bool {
    guard lane.failOpen, plan.mayFailOpen else { return false }
    switch generation.pinning.suspicion(
      of: clientAddress, for: target.target.host, lane: lane.name, at: worker.loop.now)
    {
    case .pinned, .unclear: return true
    case .untrustedAuthority, nil: return false
    }
  }
}

extension OriginPlan {
  /// Whether failing open may pass the destination on unseen: only one that nobody named. A host that a rule intercepts, or for which a
  /// rule or NSPinnedDomains asks for trust, an identity or pins, is to be verified whatever its clients think.
  var mayFailOpen: Bool {
    guard let requirements, decision.action == .intercept, decision.decidedBy == .default else { return false }
    return requirements.trust == nil && requirements.pinned == nil && requirements.imports.isEmpty
      && requirements.identityNames.isEmpty && key.host.text != InternalHost.name
  }
}
