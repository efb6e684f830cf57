import Names
import Policy
import Records

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
