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
    let names = Self.list(contents.entries)
    let chosen = contents.entries.filter { select?.matches($0) ?? true }
    guard let entry = chosen.first else {
      return reject(
        contents.entries.isEmpty
          ? "`\(path)` holds no identity" : "no identity in `\(path)` fits `select`; it holds \(names)")
    }
    guard chosen.count == 1 else {
      return reject(
        select == nil
          ? "`\(path)` holds several identities, \(names); `select` must name one of them, such as { friendlyName: \"…\" }"
          : "`select` fits several identities in `\(path)`; it holds \(names). Add what tells them apart")
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
    warnOfUse(identity.leaf)
    return identity
  }

  /// What keeps a certificate from being shown, or soon will. It loads all the same: another one may stand beside it in a rule's list.
  private func warnOfUse(_ leaf: Certificate) {
    let subject = "its certificate (\(leaf.subject))"
    switch leaf.clientObjection(at: reading.now) {
    case .purpose:
      report(
        .warning, "\(subject) is not meant for clients, for its extended key usage lacks clientAuth: it is never sent")
    case .expired(let end): report(.warning, "\(subject) expired on \(Self.day(end)): it is never sent")
    case .notYetValid(let start):
      report(.warning, "\(subject) is valid only from \(Self.day(start)) on: it is not sent before")
    default:
      if leaf.notAfter < reading.now + 30 * 86_400 {
        report(.warning, "\(subject) expires on \(Self.day(leaf.notAfter))")
      }
    }
    if !leaf.maySignHandshakes {
      report(.warning, "\(subject) has a key usage without digitalSignature, for which origins may refuse it")
    }
  }

  /// What a PKCS#12 holds, with what `select` can tell apart; bounded.
  private static func list(_ entries: [PKCS12Contents.Entry]) -> String {
    let limit = 8
    let shown = entries.prefix(limit).map { entry in
      let leaf = entry.identity.leaf
      var facts = ["subject \(leaf.subject)", "issuer \(leaf.issuer)"]
      if let identifier = entry.localKeyID { facts.append("localKeyID \(hexadecimal(identifier))") }
      facts.append("sha256 \(hexadecimal(leaf.fingerprint))")
      return "`\(entry.friendlyName ?? leaf.subject)` (\(facts.joined(separator: ", ")))"
    }
    return shown.joined(separator: ", ") + (entries.count > limit ? " and \(entries.count - limit) more" : "")
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
