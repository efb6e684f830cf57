import Foundation
import Names
import Policy
import Records
import TLS

/// What was seen of an origin.
extension DiagnosisJSON {
  static func write(facts peer: PeerSummary?, to json: inout JSONText) {
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

  static func write(handshakes: [HandshakeNote], to json: inout JSONText) {
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

  static func write(pins: PinFormats?, to json: inout JSONText) {
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
}
