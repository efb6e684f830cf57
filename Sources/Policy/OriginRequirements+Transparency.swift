/// Certificate Transparency, where the trust policy asks for it.
extension OriginRequirements {
  /// Puts what it says into a verdict. It refuses only what is not refused for its chain or a pin already.
  func judgeTransparency(_ facts: PeerFacts, into verdict: inout TrustVerdict) {
    guard let trust, let requirement = trust.transparency else { return }
    let found = requirement.judge(facts)
    verdict.transparency = found
    guard found.status == .fail, verdict.refusal == nil else { return }
    verdict.matchedPin = nil
    verdict.refusal = trustRefusal(
      "Certificate Transparency: the origin's certificate is not logged as it must be",
      "\(certificate(at: 0, in: facts.evaluation)) does not satisfy Certificate Transparency, which \(trust.place) requires: "
        + "\(found.reason). Let the authority issue one that is logged, or renew the list that ct.logList names.")
  }
}
