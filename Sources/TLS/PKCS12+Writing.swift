import COpenSSL

extension PKCS12 {
  private static let rounds: Int32 = 100_000

  /// Writes identities with their chains as OpenSSL 3 and current systems read them: AES-256-CBC, PBKDF2 and a MAC with SHA-256.
  ///
  /// Friendly names are kept; what ties a key to its certificate is kept where it is there, and made where it is not.
  public static func write(
    _ entries: [PKCS12Contents.Entry], passphrase: [UInt8]
  ) throws(TLSFileFault) -> [UInt8] {
    guard !entries.isEmpty else { throw .noKey }
    guard !passphrase.contains(0) else { throw .unreadable("the passphrase holds a NUL") }
    OpenSSLError.clear()
    let text = passphrase.map { CChar(bitPattern: $0) } + [0]
    var safes: OpaquePointer?
    defer { if let safes { copenssl_safes_free(safes) } }
    guard add(certificates(of: entries), to: &safes, cipher: NID_aes_256_cbc, text),
      add(keys(of: entries, text), to: &safes, cipher: -1, text), let file = PKCS12_add_safes(safes, 0)
    else { throw failure() }
    defer { PKCS12_free(file) }
    guard PKCS12_set_mac(file, text, -1, nil, 0, rounds, EVP_sha256()) == 1,
      let bytes = LibraryBytes.encoded(by: { i2d_PKCS12(file, $0) })
    else { throw failure() }
    return bytes
  }

  private static func failure() -> TLSFileFault { .unreadable("OpenSSL could not write it: \(OpenSSLError.take())") }

  /// Frees the bags. `cipher` -1: they are not encrypted once more.
  private static func add(
    _ bags: OpaquePointer?, to safes: inout OpaquePointer?, cipher: Int32, _ passphrase: [CChar]
  ) -> Bool {
    guard let bags else { return false }
    defer { copenssl_bags_free(bags) }
    return PKCS12_add_safe(&safes, bags, cipher, rounds, passphrase) == 1
  }

  /// The leaves, then what leads on from them, each once; nil: out of memory.
  private static func certificates(of entries: [PKCS12Contents.Entry]) -> OpaquePointer? {
    var bags: OpaquePointer?
    var written: Set<Certificate> = []
    func push(_ certificate: Certificate, _ name: String?, _ identifier: [UInt8]) -> Bool {
      guard written.insert(certificate).inserted else { return true }
      let bag = PKCS12_SAFEBAG_create_cert(certificate.pointer)
      return copenssl_bags_push(&bags, bag, name, identifier, Int32(identifier.count)) == 1
    }
    let isComplete =
      entries.allSatisfy { push($0.identity.leaf, $0.friendlyName, $0.keyIdentifier) }
      && entries.flatMap(\.identity.chain).allSatisfy { push($0, nil, []) }
    if !isComplete, let bags { copenssl_bags_free(bags) }
    return isComplete ? bags : nil
  }

  private static func keys(of entries: [PKCS12Contents.Entry], _ passphrase: [CChar]) -> OpaquePointer? {
    var bags: OpaquePointer?
    let isComplete = entries.allSatisfy { entry in
      let identifier = entry.keyIdentifier
      let bag = copenssl_shrouded_key(entry.identity.key.pointer, passphrase, rounds)
      return copenssl_bags_push(&bags, bag, entry.friendlyName, identifier, Int32(identifier.count)) == 1
    }
    if !isComplete, let bags { copenssl_bags_free(bags) }
    return isComplete ? bags : nil
  }
}

extension PKCS12Contents.Entry {
  /// That of the file it came from, else one made of the certificate.
  fileprivate var keyIdentifier: [UInt8] { localKeyID ?? Array(identity.leaf.fingerprint.prefix(20)) }
}
