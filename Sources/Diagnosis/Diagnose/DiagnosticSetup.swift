import Configuration
import Glibc
import Names
import Policy
import TLS

/// What all origins of a diagnosis are looked at with. Immutable.
struct DiagnosticSetup: Sendable {
  /// One for each OS whose rules are asked for.
  let configurations: [Configuration]
  /// The app's own policies, in the same order; empty: none.
  let policies: [AppPolicy]
  let anchors: TrustAnchors?

  init(_ configurations: [Configuration], _ policies: [AppPolicy]) {
    self.configurations = configurations
    self.policies = policies
    anchors = configurations.first.map { TrustAnchors($0) }
  }

  /// All but the rules of an OS.
  var main: Configuration? { configurations.first }

  var systems: [OSVersion] { configurations.map { $0.defaultLane.policy.ats.os } }

  /// An errand to a place, by the way that live traffic would take.
  func errand(to target: HostPort, offer: HandshakeOffer?, request: Errand.Request) -> Errand? {
    guard let main, let anchors else { return nil }
    let lane = main.defaultLane
    var errand = Errand(
      target: target, route: main.route(to: target, lane: lane), redirections: main.upstream.resolve,
      timeout: main.upstream.connectTimeout, anchors: anchors.general)
    errand.request = request
    guard let offer else { return errand }
    let requirements = lane.policy.requirements(host: target.host, port: target.port, context: .app)
    errand.identities = requirements.identityNames.compactMap { lane.identities[$0] }
    errand.offer = offer.parameters(allowsLateAuthentication: !errand.identities.isEmpty)
    errand.judge = { peer in Self.judge(peer, requirements, lane, anchors, main) }
    return errand
  }

  /// Facts as live traffic gets them. An origin whose chain or pins do not pass gets no request and no client certificate; what App
  /// Transport Security says of version and suite is left to the rows.
  private static func judge(
    _ peer: PresentedPeer, _ requirements: OriginRequirements, _ lane: Lane, _ anchors: TrustAnchors,
    _ configuration: Configuration
  ) -> Errand.Judgement {
    guard let leaf = peer.chain.first else { return Errand.Judgement(isWelcome: false) }
    let material = requirements.trust.flatMap { lane.materials[$0.name] }
    let others = peer.chain.dropFirst() + (material.map { $0.pinned + $0.anchors } ?? [])
    let result = ChainVerifier.evaluate(
      leaf: leaf, others: Array(others), anchors: anchors.stores(trust: requirements.trust?.name).anchors,
      host: requirements.host, at: nil)
    let facts = PeerFacts(
      peer, path: result, others: Array(others), for: requirements, anchors: anchors,
      logs: configuration.transparency.keys, now: Int64(time(nil)))
    var lenient = requirements
    lenient.atsMode = .enforce
    lenient.ats = .unrestricted(os: requirements.os)
    lenient.ats.permitsLoosening = requirements.atsMode == .off || requirements.ats.permitsLoosening
    return Errand.Judgement(facts: facts, isWelcome: facts.map { lenient.judge($0).isAccepted } ?? false)
  }
}
