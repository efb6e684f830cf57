import Names
import Policy

/// Follows what the origin answers.
extension Examination {
  func redirects() async -> RedirectTrail {
    var trail = RedirectTrail()
    guard let os = setup.systems.first, var current = try? TargetURL(target.url),
      var response = book.entries.lazy.compactMap(\.sighting.response).first
    else { return trail }
    var seen = [current.description]
    while (300..<400).contains(response.status), let location = response.location {
      guard let next = RedirectTarget.resolve(location, from: current) else { return trail.ending(.failed) }
      guard !seen.contains(next.description) else { return trail.ending(.loop) }
      guard trail.steps.count < RedirectTrail.limit else { return trail.ending(.limit) }
      seen.append(next.description)
      let (step, answer) = await follow(next, os)
      trail.steps.append(step)
      if let objection = step.objections.first {
        return trail.ending(objection.name == "unreachable" ? .failed : .blocked)
      }
      guard let answer else { return trail.ending(.failed) }
      current = next
      response = answer
    }
    return trail
  }

  /// One step, as far as App Transport Security without an exception permits it.
  private func follow(_ url: TargetURL, _ os: OSVersion) async -> (RedirectTrail.Step, Sighting.Response?) {
    func step(_ objections: [Objection], _ status: Int? = nil) -> RedirectTrail.Step {
      RedirectTrail.Step(
        url: url.description, host: url.host.bracketed, objections: objections, status: status)
    }
    let place = HostPort(host: url.host, port: url.port)
    let judge = RowJudge(host: url.host, port: url.port, os: os)
    var offer: HandshakeOffer?
    if url.scheme.isSecure {
      offer = judge.offer(under: .dictionary([:]))
    } else {
      let verdict = ATSPolicy(os: os).cleartext(host: url.host, context: .app)
      guard verdict.isPermitted else { return (step([.cleartext(place, verdict.reason)]), nil) }
    }
    guard let errand = setup.errand(to: place, offer: offer, request: .always(url.pathAndQuery)) else {
      return (step([]), nil)
    }
    let sighting = await network.run(errand)
    guard let offer else { return (step([], sighting.response?.status), sighting.response) }
    var own = OfferBook()
    own.note(sighting, for: offer)
    let objections = judge.objections(to: own, under: .dictionary([:])) ?? []
    return (step(objections, sighting.response?.status), sighting.response)
  }
}
