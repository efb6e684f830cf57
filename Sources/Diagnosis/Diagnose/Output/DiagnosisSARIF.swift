import Policy
import Records

/// Diagnoses as SARIF 2.1.0 (OASIS), which code hosts show as alerts: what keeps the default row from passing, what keeps the app's own
/// policy from it, and what is wrong with certificates.
public enum DiagnosisSARIF {
  private struct Finding {
    let rule: String
    let level: String
    let message: String
    let place: String
    let host: String
  }

  /// - Parameter version: of the program.
  public static func write(_ diagnoses: [HostDiagnosis], version: String, to json: inout JSONText) {
    let findings = unique(diagnoses.flatMap { self.findings($0) })
    let rules = findings.map(\.rule).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    json.beginObject()
    json.string("$schema", "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json")
    json.string("version", "2.1.0")
    json.beginArray("runs")
    json.beginObject()
    json.beginObject("tool")
    json.beginObject("driver")
    json.string("name", "pinwarden")
    json.string("version", version)
    json.beginArray("rules")
    for rule in rules { write(rule: rule, to: &json) }
    json.endArray()
    json.endObject()
    json.endObject()
    json.beginArray("results")
    for finding in findings { write(finding, rules, to: &json) }
    json.endArray()
    json.endObject()
    json.endArray()
    json.endObject()
  }

  private static func findings(_ diagnosis: HostDiagnosis) -> [Finding] {
    let (host, url) = (diagnosis.target.name, diagnosis.target.url)
    func finding(_ objection: Objection, _ place: String, _ prefix: String) -> Finding {
      Finding(
        rule: objection.name, level: "error", message: "\(prefix): \(objection.refusal.detail)", place: place,
        host: host)
    }
    if let obstacle = diagnosis.obstacle {
      return [finding(Objection(name: "unreachable", refusal: obstacle), url, host)]
    }
    let rows = diagnosis.rows.prefix(1).flatMap(\.objections).map { finding($0, url, "\(host), OS \(diagnosis.os)") }
    let policy = diagnosis.policy.map { policy in
      policy.objections.map { finding($0, policy.source, "\(host), \(policy.source)") }
    }
    let chain = diagnosis.chain.map { problem in
      Finding(
        rule: problem.kind.rawValue, level: problem.level.rawValue, message: "\(host): \(problem.detail)", place: url,
        host: host)
    }
    return rows + (policy ?? []) + chain
  }

  /// A matrix finds the same more than once.
  private static func unique(_ findings: [Finding]) -> [Finding] {
    var seen: Set<String> = []
    return findings.filter { seen.insert("\($0.rule)\n\($0.place)\n\($0.message)").inserted }
  }

  private static func write(rule: String, to json: inout JSONText) {
    json.beginObject()
    json.string("id", rule)
    json.beginObject("shortDescription")
    json.string("text", describe(rule))
    json.endObject()
    json.endObject()
  }

  private static func write(_ finding: Finding, _ rules: [String], to json: inout JSONText) {
    json.beginObject()
    json.string("ruleId", finding.rule)
    if let index = rules.firstIndex(of: finding.rule) { json.integer("ruleIndex", index) }
    json.string("level", finding.level)
    json.beginObject("message")
    json.string("text", finding.message)
    json.endObject()
    json.beginArray("locations")
    json.beginObject()
    json.beginObject("physicalLocation")
    json.beginObject("artifactLocation")
    json.string("uri", uri(finding.place))
    json.endObject()
    json.endObject()
    json.beginArray("logicalLocations")
    json.beginObject()
    json.string("name", finding.host)
    json.string("kind", "resource")
    json.endObject()
    json.endArray()
    json.endObject()
    json.endArray()
    json.endObject()
  }

  /// A path is a reference of RFC 3986 once its odd bytes are escaped; a URL is one already.
  private static func uri(_ place: String) -> String {
    let kept = Set("-._~/:?#[]@!$&'()*+,;=%".utf8)
    return place.utf8.reduce(into: "") { text, byte in
      let isLetter = (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
      if isLetter || kept.contains(byte) {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        text += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
  }

  private static func describe(_ rule: String) -> String {
    switch rule {
    case "minimum-tls": "The TLS version is too old"
    case "forward-secrecy": "The cipher suite has no forward secrecy"
    case "cipher-suite": "The cipher suite is not spoken by Apple's systems"
    case "key-size": "The certificate's key is too small for App Transport Security"
    case "leaf-signature-hash": "The certificate is signed with a weak hash"
    case "chain-signature-hash": "An issuer's certificate is signed with a weak hash"
    case "unknown-root": "No path leads to a trusted root"
    case "self-signed": "The certificate signed itself"
    case "expired": "A certificate has expired"
    case "not-yet-valid": "A certificate is not valid yet"
    case "name-mismatch": "The certificate is for another name"
    case "lifetime": "The certificate lives too long"
    case "client-certificate": "A client certificate is demanded"
    case "pin": "A pin does not match"
    case "certificate-transparency": "The certificate is not logged as it must be"
    case "missing-intermediate": "An intermediate certificate is not sent"
    case "wrong-order": "The certificates are sent in a wrong order"
    case "expiring-soon": "A certificate expires soon"
    case "no-tls": "The origin does not speak TLS"
    case "unreachable": "The origin cannot be reached"
    default: "App Transport Security refuses the origin: \(rule)"
    }
  }
}
