import Configuration
import Names
import Pictures
import Policy
import TLS

/// What makes pictures of one plan those of no other.
extension OriginPlan {
  /// Where a picture of this plan is kept.
  func picturePlace(_ url: String) -> PicturePlace {
    hasPictures = true
    return PicturePlace(url: url, scope: pictureScope, decision: pictureDecision)
  }

  /// Has the pictures wiped that came under this plan, if the next generation decides otherwise.
  func wipePictures(from cache: PictureCache, movingTo next: Generation) {
    guard hasPictures else { return }
    let other = next.configuration.lanes[lane.name].map { lane in
      var key = key
      key.lane = ObjectIdentifier(lane)
      return OriginPlan(key: key, lane: lane, generation: next)
    }
    guard other?.pictureDecision != pictureDecision else { return }
    cache.wipe(scope: pictureScope, decision: pictureDecision)
  }

  /// Under which there is one decision at a time.
  func makePictureScope() -> String {
    let dialled = key.dialled.map { " at \($0)" } ?? ""
    return "\(lane.name) \(key.context) \(key.isGuarded ? "guarded" : "local") \(key.host.text):\(key.port)\(dialled)"
  }

  /// A digest of everything that an origin is judged and reached by, and of what it is shown. It is the same in the next run of the
  /// daemon, as long as the configuration says the same.
  func makePictureDecision() -> String {
    var outline = ValueOutline()
    outline.add("lane", lane.name)
    outline.add("decision", decision)
    outline.add("requirements", requirements as Any)
    outline.add("material", requirements?.trust.flatMap { lane.materials[$0.name] } as Any)
    outline.add("anchors", generation.configuration.upstream.anchors as Any)
    outline.add("route", route)
    outline.add("destination", destination)
    outline.add("addresses", allowedAddresses)
    outline.add("identities", identities.map { [$0.leaf] + $0.chain })
    outline.add("identity names", identities.map(\.name))
    outline.add("http2", generation.configuration.upstream.http2)
    return outline.digest
  }
}
