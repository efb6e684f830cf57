import Bytes

/// One exchange as an entry of an HTTP Archive 1.2.
struct HAREntry {
  private let facts: RecordFacts
  private let request: CapturedMessage?
  private let response: CapturedMessage?
  private let timings: HARTimings

  /// nil: the record is not one that this version understands.
  init?(_ exchange: StoredExchange) {
    guard let facts = exchange.facts else { return nil }
    self.facts = facts
    request = exchange.request
    response = exchange.response
    timings = HARTimings(facts.timing)
  }

  func write(to out: ByteQueue) {
    var json = JSONText(into: out)
    json.beginObject()
    json.string("startedDateTime", facts.started)
    json.harTime("time", timings.total)
    writeRequest(to: &json)
    writeResponse(to: &json)
    json.beginObject("cache")
    json.endObject()
    writeTimings(to: &json)
    writeConnection(to: &json)
    writeVerdict(to: &json)
    if let reason { json.string("comment", reason) }
    json.endObject()
  }

  // MARK: messages

  private var httpVersion: StaticString {
    switch facts.protocol {
    case "h2": "HTTP/2"
    case "http/1.0": "HTTP/1.0"
    default: "HTTP/1.1"
    }
  }

  private func writeRequest(to json: inout JSONText) {
    json.beginObject("request")
    json.string("method", facts.method)
    json.string("url", facts.url)
    json.token("httpVersion", httpVersion)
    writeFields(request, to: &json)
    json.beginArray("queryString")
    for parameter in HARQuery.parameters(facts.url) { Self.write(parameter.name, parameter.value, to: &json) }
    json.endArray()
    if let request, !request.body.isEmpty {
      json.beginObject("postData")
      json.string("mimeType", request.values("content-type").first ?? "")
      json.beginArray("params")
      json.endArray()
      HARBody(request, byteCount: facts.request?.bytes ?? 0).write(to: &json)
      json.endObject()
    }
    json.integer("headersSize", -1)
    json.integer("bodySize", facts.request?.bytes ?? -1)
    json.endObject()
  }

  /// An exchange without an answer has status 0, as browsers write it.
  private func writeResponse(to json: inout JSONText) {
    json.beginObject("response")
    json.integer("status", facts.status ?? 0)
    json.string("statusText", "")
    json.token("httpVersion", httpVersion)
    writeFields(response, to: &json)
    json.beginObject("content")
    json.integer("size", facts.response?.bytes ?? 0)
    json.string("mimeType", response?.values("content-type").first ?? "x-unknown")
    if let response, !response.body.isEmpty {
      HARBody(response, byteCount: facts.response?.bytes ?? 0).write(to: &json)
    }
    json.endObject()
    json.string("redirectURL", response?.values("location").first ?? "")
    json.integer("headersSize", -1)
    json.integer("bodySize", facts.status == nil ? -1 : facts.response?.bytes ?? -1)
    if facts.response?.fromCache == true { json.token("_fromCache", "disk") }
    if let reason { json.string("_error", reason) }
    json.endObject()
  }

  /// Cookies stand among the fields, redacted; apart from them there is nothing to tell.
  private func writeFields(_ message: CapturedMessage?, to json: inout JSONText) {
    json.beginArray("cookies")
    json.endArray()
    json.beginArray("headers")
    for field in message?.fields ?? [] { Self.write(field.name, field.value, to: &json) }
    json.endArray()
  }

  private static func write(_ name: String, _ value: String, to json: inout JSONText) {
    json.beginObject()
    json.string("name", name)
    json.string("value", value)
    json.endObject()
  }

  // MARK: the rest

  private func writeTimings(to json: inout JSONText) {
    json.beginObject("timings")
    json.harTime("blocked", timings.blocked)
    json.harTime("dns", timings.dns)
    json.harTime("connect", timings.connect)
    json.harTime("ssl", timings.tls)
    json.harTime("send", timings.send)
    json.harTime("wait", timings.wait)
    json.harTime("receive", timings.receive)
    if timings.isConnectedAhead { json.token("comment", "the connection was begun before the request") }
    json.endObject()
  }

  private func writeConnection(to json: inout JSONText) {
    if let address = facts.origin?.address { json.string("serverIPAddress", String(EndpointText(address[...]).host)) }
    guard let client = facts.client else { return }
    if let port = EndpointText(client[...]).port { json.string("connection", String(port)) }
    json.string("_client", client)
  }

  private func writeVerdict(to json: inout JSONText) {
    json.string("_id", facts.id)
    if let lane = facts.lane { json.string("_lane", lane) }
    if let context = facts.context { json.string("_context", context) }
    if let decision = facts.decision {
      json.beginObject("_decision")
      json.string("action", decision.action)
      json.optional("decidedBy", decision.decidedBy)
      json.optional("rule", decision.rule)
      json.endObject()
    }
    if let ats = facts.ats {
      json.beginObject("_ats")
      json.string("verdict", ats.verdict)
      json.beginArray("violations")
      for violation in ats.violations ?? [] { json.string(nil, violation) }
      json.endArray()
      json.endObject()
    }
    writeError(to: &json)
  }

  private func writeError(to json: inout JSONText) {
    guard let error = facts.error else { return }
    json.beginObject("_error")
    if let code = error.code { json.integer("code", code) } else { json.null("code") }
    json.optional("name", error.name)
    json.optional("proxyStatus", error.proxyStatus)
    json.optional("detail", error.detail)
    json.endObject()
  }

  /// What went wrong, in one sentence.
  private var reason: String? {
    guard let error = facts.error else { return nil }
    let code = error.code.map { "\($0) \(error.name ?? "")" } ?? error.proxyStatus ?? ""
    return "\(code): \(error.detail ?? "")"
  }
}
