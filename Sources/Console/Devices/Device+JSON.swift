import Records

extension Device {
  /// One element of `/api/devices`.
  func write(to json: inout JSONText) {
    json.beginObject()
    json.string("client", client)
    json.string("lane", lane)
    json.time("firstSeen", milliseconds: firstSeen)
    json.time("lastSeen", milliseconds: lastSeen)
    json.string("userAgent", userAgent)
    writeDoctor(to: &json, "doctor")
    json.endObject()
  }

  /// What the trust doctor says: `{proxy, certificate, clock, clockOffset, downloaded, refusal, missing}`.
  func writeDoctor(to json: inout JSONText, _ key: StaticString) {
    let report = DoctorReport(self)
    json.beginObject(key)
    json.string("proxy", report.proxy.rawValue)
    json.string("certificate", report.certificate.rawValue)
    json.string("clock", report.clock.rawValue)
    if let clockOffset { json.integer("clockOffset", Int(clockOffset)) } else { json.null("clockOffset") }
    json.boolean("downloaded", report.hasDownloaded)
    json.optional("refusal", report.certificate == .refused ? refusal : nil)
    json.optional("missing", report.missing?.rawValue)
    json.endObject()
  }
}
