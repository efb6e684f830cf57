import Policy
import TLS

/// `identities`: certificates with which pinwarden answers origins that ask for one.
extension Field {
  func identities() -> [String: Identity]? {
    guard let members = members("an object with an identity for each name is expected") else { return nil }
    var identities: [String: Identity] = [:]
    for (name, field) in members { identities[name] = field.identity(name: name) }
    return identities
  }

  private func identity(name: String) -> Identity? {
    section { section -> Identity? in
      let pkcs12 = section.field("pkcs12")
      let certificate = section.field("certificate")
      let key = section.field("key")
      let passphraseField = section.field("passphrase")
      let passphrase = passphraseField?.secret()
      let selection = section.field("select")
      var allowUnauthenticated = false
      var allowWeakKey = false
      section.read("allowUnauthenticated", into: &allowUnauthenticated) { $0.boolean() }
      section.read("allowWeakKey", into: &allowWeakKey) { $0.boolean() }
      let select = selection?.identitySelection()

      let identity: Identity?
      switch (pkcs12, certificate, key) {
      case (let pkcs12?, nil, nil):
        // Without its passphrase the file would only be called damaged.
        if passphraseField != nil, passphrase == nil {
          _ = pkcs12.contents()
          return nil
        }
        identity = pkcs12.identity(
          inPKCS12: name, passphrase: passphrase ?? [], select: select, allowUnauthenticated: allowUnauthenticated)
      case (nil, let certificate?, let key?):
        if selection != nil { section.field.report(.error, "`select` belongs to `pkcs12`") }
        identity = Self.identity(name: name, certificate: certificate, key: key, passphrase: passphrase)
      default:
        return section.field.reject("either `pkcs12`, or `certificate` and `key`, is expected")
      }
      return identity.flatMap { section.field.checked($0, allowWeakKey: allowWeakKey) }
    } ?? nil
  }

  private static func identity(name: String, certificate: Field, key: Field, passphrase: [UInt8]?) -> Identity? {
    let certificates = certificate.certificates()
    let loaded = key.privateKey(passphrase: passphrase)
    guard let certificates, let loaded else { return nil }
    do throws(TLSFileFault) {
      return try Identity(name: name, certificates: certificates, key: loaded)
    } catch {
      return key.reject("this identity cannot be used: \(error)")
    }
  }

  private func identity(
    inPKCS12 name: String, passphrase: [UInt8], select: IdentitySelection?, allowUnauthenticated: Bool
  ) -> Identity? {
    guard let (bytes, path) = contents() else { return nil }
    let contents: PKCS12Contents
    do throws(TLSFileFault) {
      contents = try PKCS12.load(bytes, passphrase: passphrase, allowUnauthenticated: allowUnauthenticated)
    } catch {
      return reject("`\(path)` cannot be used: \(error)")
    }
    for protection in contents.protections where protection.uppercased().contains("RC2") {
      report(
        .warning,
        "`\(path)` is protected by \(protection), which is easily broken; `pinwarden identity rewrap` renews it")
    }
    let names = contents.entries.map { "`\($0.friendlyName ?? $0.identity.leaf.subject)`" }.joined(separator: ", ")
    let chosen = contents.entries.filter { select?.matches($0) ?? true }
    guard let entry = chosen.first else {
      return reject(
        contents.entries.isEmpty
          ? "`\(path)` holds no identity" : "no identity in `\(path)` fits `select`; it holds \(names)")
    }
    guard chosen.count == 1 else {
      return reject(
        "`\(path)` holds several identities, \(names); `select` must name one of them, such as { friendlyName: \"…\" }")
    }
    return Identity(name: name, leaf: entry.identity.leaf, chain: entry.identity.chain, key: entry.identity.key)
  }

  private func checked(_ identity: Identity, allowWeakKey: Bool) -> Identity? {
    let key = identity.leaf.key
    if key.isWeak {
      guard allowWeakKey else {
        return reject("its key has only \(key.bits) bits; `allowWeakKey: true` accepts it")
      }
      report(.warning, "its key has only \(key.bits) bits")
    }
    warnOfDates(identity.leaf, what: "its certificate")
    return identity
  }
}

/// `select` of an identity: which one of a PKCS#12 is meant. Everything that is given must fit.
struct IdentitySelection {
  var friendlyName: String?
  var issuer: String?
  var subject: String?
  var sha256: [UInt8]?

  func matches(_ entry: PKCS12Contents.Entry) -> Bool {
    let leaf = entry.identity.leaf
    if let friendlyName, friendlyName != entry.friendlyName { return false }
    if let sha256, sha256 != leaf.fingerprint { return false }
    if let subject, leaf.subject != subject, leaf.commonName != subject { return false }
    if let issuer, leaf.issuer != issuer, !leaf.issuer.split(separator: ",").contains("CN=\(issuer)") { return false }
    return true
  }
}

extension Field {
  fileprivate func identitySelection() -> IdentitySelection? {
    section { section -> IdentitySelection? in
      var selection = IdentitySelection()
      section.read("friendlyName", into: &selection.friendlyName) { $0.nonEmptyString() }
      section.read("issuer", into: &selection.issuer) { $0.nonEmptyString() }
      section.read("subject", into: &selection.subject) { $0.nonEmptyString() }
      section.read("sha256", into: &selection.sha256) { $0.fingerprint() }
      return selection
    } ?? nil
  }

  /// 32 bytes in hexadecimal digits, with or without colons.
  private func fingerprint() -> [UInt8]? {
    guard let text = string() else { return nil }
    let digits = text.utf8.filter { $0 != UInt8(ascii: ":") }
    let values = digits.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
    guard values.count == 64, digits.count == 64 else {
      return reject("\(shown) is no SHA-256 fingerprint: 64 hexadecimal digits, with or without colons, are expected")
    }
    return stride(from: 0, to: 64, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
  }
}
