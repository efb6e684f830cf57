import Records
import TLS

/// What is inside a PKCS#12 file, keys left out.
struct IdentityReport {
  let file: String
  let contents: PKCS12Contents
  /// What is weak or about to end.
  let weaknesses: IdentityWeaknesses

  /// - Parameter now: in seconds since 1970; what expires is told by it.
  init(file: String, contents: PKCS12Contents, now: Int64) {
    self.file = file
    self.contents = contents
    weaknesses = IdentityWeaknesses(contents, now: now)
  }

  func text(_ style: TextStyle) -> String {
    var text = style.wrapped(PlainText.oneLine(file), paint: .bold)
    text += protection.text(margin: "  ", style: style)
    text += lines(of: weaknesses.file, style)
    for (entry, weak) in zip(contents.entries, weaknesses.entries) {
      text += "\n" + style.wrapped(PlainText.oneLine(entry.identity.name), paint: .bold)
      text += facts(of: entry).text(margin: "  ", style: style) + lines(of: weak, style)
    }
    return text
  }

  private var protection: TextTable {
    var table = TextTable()
    let rounds = contents.fewestRounds.map { ", \($0) rounds" } ?? ""
    table.add("protected by", contents.protections.joined(separator: ", ") + rounds)
    table.add("MAC", contents.mac.map { "\($0.algorithm), \($0.rounds) rounds" } ?? "none")
    return table
  }

  private func facts(of entry: PKCS12Contents.Entry) -> TextTable {
    var facts = CertificateReport(entry.identity.leaf).facts
    for issuer in entry.identity.chain { facts.add("chain", PlainText.oneLine(issuer.subject)) }
    if let identifier = entry.localKeyID { facts.add("local key id", PlainText.hexadecimal(identifier)) }
    return facts
  }

  private func lines(of weaknesses: [String], _ style: TextStyle) -> String {
    weaknesses.reduce(into: "") {
      $0 += style.wrapped("weak: \($1)", lead: "  ", indent: "    ", paint: .caution)
    }
  }

  /// `{ file, protections: [], rounds, mac: {algorithm, rounds}|null, weaknesses: [], identities: [{name, friendlyName, localKeyID, subject, …,
  /// chain: [], weaknesses: []}] }`.
  func write(to json: inout JSONText) {
    json.beginObject()
    json.string("file", file)
    write("protections", contents.protections, to: &json)
    if let rounds = contents.fewestRounds { json.integer("rounds", rounds) } else { json.null("rounds") }
    if let mac = contents.mac {
      json.beginObject("mac")
      json.string("algorithm", mac.algorithm)
      json.integer("rounds", mac.rounds)
      json.endObject()
    } else {
      json.null("mac")
    }
    write("weaknesses", weaknesses.file, to: &json)
    json.beginArray("identities")
    for (entry, weak) in zip(contents.entries, weaknesses.entries) {
      json.beginObject()
      json.string("name", entry.identity.name)
      json.optional("friendlyName", entry.friendlyName)
      json.optional("localKeyID", entry.localKeyID.map { PlainText.hexadecimal($0) })
      CertificateReport(entry.identity.leaf).writeMembers(to: &json)
      write("chain", entry.identity.chain.map(\.subject), to: &json)
      write("weaknesses", weak, to: &json)
      json.endObject()
    }
    json.endArray()
    json.endObject()
  }

  private func write(_ key: StaticString, _ texts: [String], to json: inout JSONText) {
    json.beginArray(key)
    for text in texts { json.string(nil, text) }
    json.endArray()
  }
}
