import Policy

extension RecordText {
  /// `origin.clientCertificate`: only where the origin asked for one.
  static func members(of asked: ClientCertificateFacts, in json: inout JSONText) {
    json.beginObject("clientCertificate")
    json.boolean("requested", true)
    if asked.isLate { json.boolean("late", true) }
    json.beginArray("acceptableIssuers")
    for issuer in asked.acceptableIssuers { json.string(nil, issuer) }
    json.endArray()
    json.integer("acceptableIssuerCount", asked.acceptableIssuerCount)
    json.beginArray("keyTypes")
    for type in asked.keyTypes { json.string(nil, type) }
    json.endArray()
    json.optional("sent", asked.sent)
    json.optional("reason", asked.reason)
    json.endObject()
  }
}
