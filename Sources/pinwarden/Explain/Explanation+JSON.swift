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
    writeError(to: &json)
    json.endObject()
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
    if requirements == nil {
      json.null("requirements")
    } else {
      json.beginObject("requirements")
      json.optional("minimumTLS", minimumTLS?.name)
      json.boolean("forwardSecrecy", forwardSecrecy)
      json.endObject()
    }
    json.endObject()
  }

  /// `{ mode, count, spki: [], nsPinnedDomains }`; null where nothing is pinned.
  private func writePins(to json: inout JSONText) {
    guard let requirements, requirements.isPinned else { return json.null("pins") }
    json.beginObject("pins")
    json.string("pinning", (requirements.trust?.pinning ?? PinningMode.none).rawValue)
    json.integer("certificates", requirements.trust?.certificates.count ?? 0)
    json.beginArray("spki")
    for pin in requirements.trust?.pins ?? [] { json.string(nil, pin.text) }
    json.endArray()
    json.boolean("nsPinnedDomains", requirements.pinned != nil)
    json.endObject()
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
    pinned != nil || trust.map { $0.pinning != .none || !$0.pins.isEmpty } == true
  }
}
