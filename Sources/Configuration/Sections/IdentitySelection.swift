import TLS

/// `select` of an identity: which one of a PKCS#12 is meant. Everything that is given must fit.
struct IdentitySelection {
  var friendlyName: String?
  var issuer: String?
  var subject: String?
  var sha256: [UInt8]?
  var localKeyID: [UInt8]?

  var isEmpty: Bool { friendlyName == nil && issuer == nil && subject == nil && sha256 == nil && localKeyID == nil }

  func matches(_ entry: PKCS12Contents.Entry) -> Bool {
    let leaf = entry.identity.leaf
    if let friendlyName, friendlyName != entry.friendlyName { return false }
    if let sha256, sha256 != leaf.fingerprint { return false }
    if let localKeyID, localKeyID != entry.localKeyID { return false }
    if let subject, leaf.subject != subject, leaf.commonName != subject { return false }
    if let issuer, leaf.issuer != issuer, !leaf.issuer.split(separator: ",").contains("CN=\(issuer)") { return false }
    return true
  }
}
