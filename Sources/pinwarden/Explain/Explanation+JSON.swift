import Configuration
import Names
import Policy
import Records

extension Explanation {
  /// The members of an exchange record that are known without traffic, the steps, and what the origin must satisfy
  /// (contract, section 1).
  func write(to json: inout JSONText) {
    json.beginObject()
    json.string("url", url)
    json.string("lane", lane)
    json.string("context", context.rawValue)
    json.string("os", "\(os)")
    json.string("method", method)
    writeDecision(to: &json)
    writeATS(to: &json)
    json.optional("trust", requirements?.trust?.name)
    writeTrustDemands(to: &json)
    writePins(to: &json)
    json.optional("onTrustFailure", requirements?.onTrustFailure.rawValue)
    json.optional("identity", requirements?.identityNames.first)
    json.beginArray("identities")
    for name in requirements?.identityNames ?? [] { json.string(nil, name) }
    json.endArray()
    writeRoute(to: &json)
    writeError(to: &json)
    json.endObject()
  }

  /// `proxy`: the one on the way; `connectsTo`: where `upstream.resolve` leads; null where there is none.
  private func writeRoute(to json: inout JSONText) {
    json.optional("proxy", proxy.map { "\($0)" })
    if case .mapped(let place) = route { json.string("connectsTo", "\(place)") } else { json.null("connectsTo") }
  }

  private func writeDecision(to json: inout JSONText) {
    json.beginObject("decision")
    json.string("action", decision.action.rawValue)
    json.optional("decidedBy", decision.decidedBy?.rawValue)
    json.optional("rule", decision.rule)
    json.endObject()
    json.beginArray("steps")
    for step in decision.steps {
      json.beginObject()
      json.string("step", step.step.rawValue)
      json.string("outcome", step.outcome)
      json.string("reason", step.reason)
      json.endObject()
    }
    json.endArray()
  }

  private func writeATS(to json: inout JSONText) {
    json.beginObject("ats")
    json.string("verdict", atsVerdict)
    json.beginArray("violations")
    for violation in violations { json.string(nil, violation) }
    json.endArray()
    json.string("os", "\(os)")
    json.string("mode", atsMode.rawValue)
    writeRequirements(to: &json)
    json.endObject()
  }

  /// `{ minimumTLS, forwardSecrecy, keySizes: {rsa, ec}, signatureHash, niap, offered: {minimum, maximum, cipherSuites,
  /// signatureAlgorithms} }`: null where ATS itself asks for nothing and certificate trust alone judges.
  private func writeRequirements(to json: inout JSONText) {
    guard let requirements else { return json.null("requirements") }
    json.beginObject("requirements")
    json.optional("minimumTLS", minimumTLS?.name)
    json.boolean("forwardSecrecy", forwardSecrecy)
    if judgesKey {
      json.beginObject("keySizes")
      json.integer("rsa", 2048)
      json.integer("ec", 256)
      json.endObject()
    } else {
      json.null("keySizes")
    }
    json.optional("signatureHash", judgesCertificate ? "SHA-256" : nil)
    json.optional("niap", atsMode == .off ? nil : requirements.ats.niap?.rawValue)
    writeOffer(requirements, to: &json)
    json.endObject()
  }

  private func writeOffer(_ requirements: OriginRequirements, to json: inout JSONText) {
    let offer = requirements.offer
    json.beginObject("offered")
    json.string("minimum", offer.minimum.name)
    json.string("maximum", offer.maximum.name)
    json.beginArray("cipherSuites")
    for name in offer.cipherSuites { json.string(nil, name) }
    json.endArray()
    json.beginArray("signatureAlgorithms")
    for name in offer.signatureAlgorithms { json.string(nil, name) }
    json.endArray()
    json.endObject()
  }

  /// `{ pinning, certificates, spki: [], nsPinnedDomains, leaf, ca, enforced, imports: [{source, format, count, enforce, expires}] }`; null
  /// where nothing is pinned. `leaf` and `ca` are the lists of NSPinnedDomains, null where it has none.
  private func writePins(to json: inout JSONText) {
    guard let requirements, requirements.isPinned else { return json.null("pins") }
    json.beginObject("pins")
    json.string("pinning", (requirements.trust?.pinning ?? PinningMode.none).rawValue)
    json.integer("certificates", requirements.trust?.certificates.count ?? 0)
    json.beginArray("spki")
    for pin in requirements.trust?.pins ?? [] { json.string(nil, pin.text) }
    json.endArray()
    json.boolean("nsPinnedDomains", requirements.pinned != nil)
    Self.write(requirements.pinned?.leafPins, "leaf", to: &json)
    Self.write(requirements.pinned?.authorityPins, "ca", to: &json)
    json.boolean("enforced", requirements.trust?.enforce ?? true)
    json.beginArray("imports")
    for demand in requirements.imports { demand.write(to: &json) }
    json.endArray()
    json.endObject()
  }

  private static func write(_ pins: [String]?, _ key: StaticString, to json: inout JSONText) {
    guard let pins else { return json.null(key) }
    json.beginArray(key)
    for pin in pins { json.string(nil, pin) }
    json.endArray()
  }

  private func writeError(to json: inout JSONText) {
    guard let refusal = decision.refusal else { return json.null("error") }
    json.beginObject("error")
    if let error = refusal.error { json.integer("code", error.code) } else { json.null("code") }
    json.optional("name", refusal.error?.name)
    json.integer("status", refusal.status)
    json.string("proxyStatus", refusal.proxyError.rawValue)
    json.string("detail", refusal.detail)
    json.endObject()
  }
}

extension OriginRequirements {
  /// Whether anything but the system's trust evaluation is asked of the certificate.
  var isPinned: Bool {
    pinned != nil || !imports.isEmpty || trust.map { $0.pinning != .none || !$0.pins.isEmpty } == true
  }
}
