import Configuration
import Names
import Policy
import TLS

/// What a reload leaves alone: a plan that would be made anew just as it is goes on with its connections and tickets.
extension OriginPlan {
  /// Serves another generation from now on, if everything that this plan depends on is the same there. What concerns all plans alike
  /// (`Generation.keepsOrigins`) has been looked at.
  /// - Returns: false: it must not be used any more, for new requests.
  func move(to next: Generation) -> Bool {
    guard let lane = next.configuration.lanes[lane.name] else { return false }
    var key = key
    key.lane = ObjectIdentifier(lane)
    let other = OriginPlan(key: key, lane: lane, generation: next)
    guard agrees(with: other) else { return false }
    serve(next, lane: lane, as: key)
    return true
  }

  /// Whether an origin that satisfied one plan satisfies the other, is reached on the same way and shown the same identities.
  private func agrees(with other: OriginPlan) -> Bool {
    decision == other.decision && requirements == other.requirements && route == other.route
      && destination == other.destination && allowedAddresses == other.allowedAddresses
      && identities.elementsEqual(other.identities) { $0.name == $1.name && $0.leaf == $1.leaf && $0.chain == $1.chain }
      && material == other.material
  }

  /// The certificates that trust is judged by, where a policy names some.
  private var material: TrustMaterial? {
    requirements?.trust.flatMap { lane.materials[$0.name] }
  }
}

extension Generation {
  /// Whether origins that were judged and reached under `other` would be so here, as far as no lane has a say.
  func keepsOrigins(of other: Generation) -> Bool {
    configuration.upstream.anchors == other.configuration.upstream.anchors
      && configuration.upstream.http2 == other.configuration.upstream.http2 && targetGuard == other.targetGuard
  }
}
