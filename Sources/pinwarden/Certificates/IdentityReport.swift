import Records
import TLS

/// What is inside a PKCS#12 file, keys left out.
struct IdentityReport {
  let file: String
  let contents: PKCS12Contents

  var text: String {
    var text = "\(PlainText.oneLine(file))\n  protected by  \(contents.protections.joined(separator: ", "))\n"
    for entry in contents.entries {
      text += "\n\(PlainText.oneLine(entry.identity.name))\n"
      var facts = CertificateReport(entry.identity.leaf).facts
      for issuer in entry.identity.chain { facts.add("chain", PlainText.oneLine(issuer.subject)) }
      if let identifier = entry.localKeyID { facts.add("local key id", PlainText.hexadecimal(identifier)) }
      text += facts.text(margin: "  ")
    }
    return text
  }

  /// `{ file, protections: [], identities: [{name, friendlyName, localKeyID, subject, …, chain: []}] }`.
  func write(to json: inout JSONText) {
    json.beginObject()
    json.string("file", file)
    json.beginArray("protections")
    for protection in contents.protections { json.string(nil, protection) }
    json.endArray()
    json.beginArray("identities")
    for entry in contents.entries {
      json.beginObject()
      json.string("name", entry.identity.name)
      json.optional("friendlyName", entry.friendlyName)
      json.optional("localKeyID", entry.localKeyID.map { PlainText.hexadecimal($0) })
      CertificateReport(entry.identity.leaf).writeMembers(to: &json)
      json.beginArray("chain")
      for issuer in entry.identity.chain { json.string(nil, issuer.subject) }
      json.endArray()
      json.endObject()
    }
    json.endArray()
    json.endObject()
  }
}
