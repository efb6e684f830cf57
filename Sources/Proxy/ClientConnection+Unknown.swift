import Configuration
import EventLoop
import Names
import Policy
import Records

/// Tunnels that were to be looked into and show nothing that can be: neither TLS nor HTTP, or no byte at all. A rule that bypasses
/// the host passes them on unseen; else they end, and are recorded.
extension ClientConnection {
  /// What came first is neither TLS nor HTTP. `detail` is a sentence.
  func receivedUnknownProtocol(_ tunnel: TunnelTarget, detail: String) {
    guard !relayIfBypassed(tunnel) else { return }
    refuseInTunnel(
      .malformed(
        detail: "\(detail) To pass on what is spoken with \(tunnel.target), give it a rule with action: \"bypass\""))
  }

  /// Nothing came in `limits.headTimeout`: perhaps the server is to speak first.
  func heardNothing() {
    guard let tunnel else { return close() }
    guard !relayIfBypassed(tunnel) else { return }
    recordTunnel(
      tunnel, detail: "the client said nothing; where the server speaks first, a rule with action: \"bypass\" is needed"
    )
    close()
  }

  /// The client went away before its first byte was understood.
  func leftUnused() {
    if let tunnel { recordTunnel(tunnel, detail: "the client ended the tunnel before it had said anything") }
    close()
  }

  /// A redirected connection waits for its name, so that one of a bypassed address has not been passed on yet.
  private func relayIfBypassed(_ tunnel: TunnelTarget) -> Bool {
    guard tunnel.kind == .transparent else { return false }
    let plan = plan(scheme: .https, target: tunnel.target, context: context(userAgent: nil), dialled: tunnel.dialled)
    guard plan.decision.action == .bypass else { return false }
    if let obstacle = plan.obstacle(worker) {
      recordTunnel(tunnel, detail: obstacle.detail)
      close()
    } else {
      relay(tunnel, plan: plan, reply: .silent, hello: nil)
    }
    return true
  }
}
