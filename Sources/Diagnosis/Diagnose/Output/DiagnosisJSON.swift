import Foundation
import Names
import Policy
import Records
import TLS

/// A diagnosis as one JSON object; the names are stable.
public enum DiagnosisJSON {
  public static func write(_ diagnosis: HostDiagnosis, to json: inout JSONText) {
    json.beginObject()
    json.string("host", diagnosis.target.name)
    json.string("url", diagnosis.target.url)
    json.string("os", "\(diagnosis.os)")
    json.string("verdict", diagnosis.verdict.rawValue)
    if let obstacle = diagnosis.obstacle {
      write(error: Objection(name: "unreachable", refusal: obstacle), to: &json)
    } else {
      json.null("error")
    }
    write(rows: diagnosis.rows, to: &json)
    write(facts: diagnosis.peer, to: &json)
    write(handshakes: diagnosis.handshakes, to: &json)
    write(pins: diagnosis.pins, to: &json)
    if let smallest = diagnosis.smallest { json.property("smallest", smallest) } else { json.null("smallest") }
    write(plain: diagnosis.plainHTTP, to: &json)
    write(redirects: diagnosis.redirects, to: &json)
    write(chain: diagnosis.chain, to: &json)
    if let policy = diagnosis.policy {
      json.beginObject("policy")
      write(policy, to: &json)
      json.beginArray("change")
      for line in policy.change { json.string(nil, line) }
      json.endArray()
      json.endObject()
    }
    if let configured = diagnosis.configured {
      json.beginObject("configuration")
      write(configured, to: &json)
      json.endObject()
    }
    json.endObject()
  }

  private static func write(rows: [RowResult], to json: inout JSONText) {
    json.beginArray("rows")
    for result in rows {
      json.beginObject()
      json.string("name", result.row.name)
      json.property("dictionary", result.row.dictionary)
      json.string("result", result.result.rawValue)
      if let first = result.objections.first { write(error: first, to: &json) } else { json.null("error") }
      write(reasons: result.objections, to: &json)
      json.endObject()
    }
    json.endArray()
  }

  /// What the app would get; `secureTransport`: what stands below it, null where App Transport Security has no part in it.
  private static func write(error objection: Objection, to json: inout JSONText) {
    json.beginObject("error")
    json.string("domain", NSURLError.domain)
    if let error = objection.refusal.error {
      json.integer("code", error.code)
      json.string("name", error.name)
    } else {
      json.null("code")
      json.null("name")
    }
    json.string("detail", objection.refusal.detail)
    if let below = objection.secureTransport {
      json.beginObject("secureTransport")
      json.integer("code", below.code)
      json.string("name", below.name)
      json.endObject()
    } else {
      json.null("secureTransport")
    }
    json.endObject()
  }

  private static func write(reasons objections: [Objection], to json: inout JSONText) {
    json.beginArray("reasons")
    for objection in objections {
      json.beginObject()
      json.string("name", objection.name)
      json.string("detail", objection.refusal.detail)
      json.endObject()
    }
    json.endArray()
  }

  private static func write(facts peer: PeerSummary?, to json: inout JSONText) {
    guard let peer else { return json.null("facts") }
    json.beginObject("facts")
    json.string("address", peer.address)
    json.optional("proxy", peer.proxy)
    json.string("version", peer.facts.version.name)
    json.string("cipher", peer.facts.cipherSuite)
    json.boolean("extendedMasterSecret", peer.facts.usesExtendedMasterSecret)
    json.boolean("hostMatches", peer.facts.hostMatches)
    json.boolean("trusted", peer.facts.evaluation.isValid)
    json.boolean("systemAnchor", peer.facts.evaluation.anchorIsSystem)
    write(clientCertificate: peer.clientCertificate, to: &json)
    if let status = peer.status { json.integer("status", status) } else { json.null("status") }
    json.optional("silence", peer.silence)
    json.beginArray("certificates")
    for (index, facts) in peer.facts.presented.enumerated() {
      write(facts, peer.certificates.indices.contains(index) ? peer.certificates[index] : nil, to: &json)
    }
    json.endArray()
    json.endObject()
  }

  private static func write(clientCertificate asked: ClientCertificateFacts?, to json: inout JSONText) {
    guard let asked else { return json.null("clientCertificate") }
    json.beginObject("clientCertificate")
    json.optional("sent", asked.sent)
    json.beginArray("acceptableIssuers")
    for issuer in asked.acceptableIssuers { json.string(nil, issuer) }
    json.endArray()
    json.endObject()
  }

  private static func write(_ facts: CertificateFacts, _ certificate: Certificate?, to json: inout JSONText) {
    json.beginObject()
    json.string("subject", facts.subject)
    json.string("issuer", facts.issuer)
    json.beginArray("names")
    for name in certificate?.dnsNames.prefix(100) ?? [] { json.string(nil, name) }
    json.endArray()
    json.time("notBefore", milliseconds: milliseconds(facts.notBefore))
    json.time("notAfter", milliseconds: milliseconds(facts.notAfter))
    json.string("key", facts.keyDescription)
    json.string("signatureHash", facts.signatureHash.rawValue)
    json.hexadecimal("sha256", facts.fingerprint)
    json.string("spki", "sha256/\(Data(facts.spkiDigest).base64EncodedString())")
    json.endObject()
  }

  /// Clamped: certificates can name moments that no calendar has.
  private static func milliseconds(_ seconds: Int64) -> Int64 {
    let (product, overflows) = seconds.multipliedReportingOverflow(by: 1_000)
    return overflows ? (seconds < 0 ? .min : .max) : product
  }

  private static func write(handshakes: [HandshakeNote], to json: inout JSONText) {
    json.beginArray("handshakes")
    for note in handshakes {
      json.beginObject()
      json.beginObject("offer")
      json.string("minimum", note.offer.minimum.name)
      json.string("maximum", note.offer.maximum.name)
      json.beginArray("suites")
      for suite in note.offer.suites { json.string(nil, suite) }
      json.endArray()
      json.endObject()
      json.optional("version", note.version?.name)
      json.optional("cipher", note.suite)
      json.optional("failure", note.failure)
      json.endObject()
    }
    json.endArray()
  }

  private static func write(pins: PinFormats?, to json: inout JSONText) {
    guard let pins else { return json.null("pins") }
    func list(_ key: StaticString, _ texts: [String]) {
      json.beginArray(key)
      for text in texts { json.string(nil, text) }
      json.endArray()
    }
    json.beginObject("pins")
    list("okhttp", pins.okHttp)
    json.string("curl", pins.curl)
    json.property("nsPinnedDomains", pins.pinnedDomains)
    list("trustKit", pins.trustKit)
    json.string("networkSecurityConfig", pins.networkSecurityConfig)
    json.endObject()
  }

  private static func write(plain: PlainHTTP?, to json: inout JSONText) {
    guard let plain else { return json.null("plainHTTP") }
    json.beginObject("plainHTTP")
    json.string("url", plain.url)
    json.string("result", plain.result.rawValue)
    if let status = plain.status { json.integer("status", status) } else { json.null("status") }
    json.optional("location", plain.location)
    json.optional("silence", plain.silence)
    if let objection = plain.objection { write(error: objection, to: &json) } else { json.null("error") }
    write(reasons: [plain.objection].compactMap { $0 }, to: &json)
    json.endObject()
  }

  private static func write(redirects: RedirectTrail, to json: inout JSONText) {
    json.beginObject("redirects")
    json.string("end", redirects.end.rawValue)
    json.beginArray("steps")
    for step in redirects.steps {
      json.beginObject()
      json.string("url", step.url)
      json.string("host", step.host)
      json.string("result", (step.objections.isEmpty ? DiagnosticResult.pass : .fail).rawValue)
      if let status = step.status { json.integer("status", status) } else { json.null("status") }
      write(reasons: step.objections, to: &json)
      json.endObject()
    }
    json.endArray()
    json.endObject()
  }

  private static func write(chain: [ChainProblem], to json: inout JSONText) {
    json.beginArray("chain")
    for problem in chain {
      json.beginObject()
      json.string("kind", problem.kind.rawValue)
      json.string("level", problem.level.rawValue)
      json.string("detail", problem.detail)
      json.endObject()
    }
    json.endArray()
  }

  private static func write(_ policy: PolicyVerdict, to json: inout JSONText) {
    json.string("source", policy.source)
    json.string("verdict", policy.passes ? "pass" : "fail")
    write(reasons: policy.objections, to: &json)
  }
}
