import COpenSSL

/// A PKCS#12 structure whose bags are not yet open.
///
/// Walks the bags itself because `PKCS12_parse` knows only one identity a file.
struct PKCS12File: ~Copyable {
  private let pointer: OpaquePointer
  private let library: OpaquePointer?

  init(_ bytes: [UInt8]) throws(TLSFileFault) {
    OpenSSLError.clear()
    library = CompatibilityLibrary.context
    // The empty structure carries the library context into what is decoded over it.
    var file = PKCS12_init_ex(NID_pkcs7_data, library, nil)
    let isDecoded = bytes.withUnsafeBufferPointer { buffer in
      var position = buffer.baseAddress
      return d2i_PKCS12(&file, &position, buffer.count) != nil
    }
    guard isDecoded, let file else {
      PKCS12_free(file)
      throw .unreadable("it is no PKCS#12: \(OpenSSLError.take())")
    }
    pointer = file
  }

  deinit {
    PKCS12_free(pointer)
  }

  var hasMAC: Bool { PKCS12_mac_present(pointer) == 1 }

  /// What proves that it is whole; nil: nothing does.
  var mac: PKCS12Contents.MAC? {
    guard hasMAC else { return nil }
    var algorithm: UnsafePointer<X509_ALGOR>?
    PKCS12_get0_mac(nil, &algorithm, nil, nil, pointer)
    return PKCS12Contents.MAC(
      algorithm: algorithm.map(Self.hashName) ?? "unknown", rounds: copenssl_mac_rounds(pointer))
  }

  /// Opens everything with one form of the passphrase; nil is none.
  borrowing func open(_ passphrase: [UInt8]?) throws(TLSFileFault) -> PKCS12Items {
    try verifyMAC(passphrase)
    OpenSSLError.clear()
    guard let safes = PKCS12_unpack_authsafes(pointer) else {
      throw .unreadable("its content cannot be read: \(OpenSSLError.take())")
    }
    defer { copenssl_safes_free(safes) }
    var items = PKCS12Items()
    for index in 0..<copenssl_safes_count(safes) {
      guard let safe = copenssl_safes_at(safes, index) else { continue }
      let bags = try unpack(safe, passphrase, &items)
      defer { copenssl_bags_free(bags) }
      try take(bags, passphrase, &items, depth: 0)
    }
    return items
  }

  private borrowing func verifyMAC(_ passphrase: [UInt8]?) throws(TLSFileFault) {
    guard hasMAC else { return }
    try Self.checkRounds(copenssl_mac_rounds(pointer))
    OpenSSLError.clear()
    let isRight = Self.lend(passphrase) { PKCS12_verify_mac(pointer, $0, $1) == 1 }
    let error = OpenSSLError.take()
    if isRight { return }
    // A wrong passphrase leaves no error behind, a MAC that cannot be computed does.
    if error.entries.isEmpty { throw .wrongPassphrase }
    var algorithm: UnsafePointer<X509_ALGOR>?
    PKCS12_get0_mac(nil, &algorithm, nil, nil, pointer)
    throw .unsupportedAlgorithm("its MAC (\(algorithm.map(Self.name) ?? "unknown"))")
  }

  /// The bags of one safe; the caller frees them.
  private borrowing func unpack(
    _ safe: UnsafeMutablePointer<PKCS7>, _ passphrase: [UInt8]?, _ items: inout PKCS12Items
  ) throws(TLSFileFault) -> OpaquePointer? {
    OpenSSLError.clear()
    switch OBJ_obj2nid(safe.pointee.type) {
    case NID_pkcs7_data:
      guard let bags = PKCS12_unpack_p7data(safe) else {
        throw .unreadable("a part of it cannot be read: \(OpenSSLError.take())")
      }
      return bags
    case NID_pkcs7_encrypted:
      let protection = try Self.noteProtection(copenssl_safe_protection(safe), &items)
      guard let bags = Self.lend(passphrase, { PKCS12_unpack_p7encdata(safe, $0, $1) }) else {
        throw Self.decryptionFault(protection)
      }
      return bags
    default:
      throw .unsupportedAlgorithm("protection by a public key")
    }
  }

  private borrowing func take(
    _ bags: OpaquePointer?, _ passphrase: [UInt8]?, _ items: inout PKCS12Items, depth: Int
  ) throws(TLSFileFault) {
    for index in 0..<copenssl_bags_count(bags) {
      guard let bag = copenssl_bags_at(bags, index) else { continue }
      switch PKCS12_SAFEBAG_get_nid(bag) {
      case NID_certBag: Self.takeCertificate(bag, &items)
      case NID_keyBag:
        items.note(protection: "none")
        try Self.takeKey(bag, PKCS12_SAFEBAG_get0_p8inf(bag), &items)
      case NID_pkcs8ShroudedKeyBag:
        let protection = try Self.noteProtection(copenssl_bag_protection(bag), &items)
        OpenSSLError.clear()
        let information = Self.lend(passphrase) { PKCS12_decrypt_skey_ex(bag, $0, $1, library, nil) }
        defer { PKCS8_PRIV_KEY_INFO_free(information) }
        guard let information else { throw Self.decryptionFault(protection) }
        try Self.takeKey(bag, information, &items)
      case NID_safeContentsBag where depth < 4:
        try take(PKCS12_SAFEBAG_get0_safes(bag), passphrase, &items, depth: depth + 1)
      default: break
      }
    }
  }

  private static func takeCertificate(_ bag: OpaquePointer, _ items: inout PKCS12Items) {
    guard PKCS12_SAFEBAG_get_bag_nid(bag) == NID_x509Certificate, let x509 = PKCS12_SAFEBAG_get1_cert(bag) else {
      return
    }
    items.certificates.append(
      PKCS12Items.Holding(
        certificate: Certificate(adopting: x509), friendlyName: friendlyName(bag), localKeyID: localKeyID(bag)))
  }

  private static func takeKey(
    _ bag: OpaquePointer, _ information: OpaquePointer?, _ items: inout PKCS12Items
  ) throws(TLSFileFault) {
    // Made in the default library context, so TLS can use it.
    guard let information, let key = EVP_PKCS82PKEY(information) else {
      let error = OpenSSLError.take()
      throw error.saysUnsupported
        ? .unsupportedAlgorithm("the kind of its key") : .unreadable("its key cannot be read: \(error)")
    }
    let owned = PrivateKey(adopting: key)
    guard PrivateKey.isUsable(key) else { return }
    items.keys.append(
      PKCS12Items.Key(key: owned, friendlyName: friendlyName(bag), localKeyID: localKeyID(bag)))
  }

  private static func friendlyName(_ bag: OpaquePointer) -> String? {
    guard let text = PKCS12_get_friendlyname(bag) else { return nil }
    defer { copenssl_free(text) }
    return String(cString: text)
  }

  private static func localKeyID(_ bag: OpaquePointer) -> [UInt8]? {
    var count: Int32 = 0
    guard let bytes = copenssl_bag_key_identifier(bag, &count) else { return nil }
    return [UInt8](UnsafeBufferPointer(start: bytes, count: Int(count)))
  }

  private static func noteProtection(
    _ algorithm: UnsafePointer<X509_ALGOR>?, _ items: inout PKCS12Items
  ) throws(TLSFileFault) -> String {
    guard let algorithm else { throw .unreadable("it does not say how a part of it is protected") }
    let name = protection(algorithm)
    items.note(protection: name)
    let rounds = copenssl_rounds(algorithm)
    try checkRounds(rounds)
    if rounds > 0 { items.note(rounds: rounds) }
    return name
  }

  /// A file must not keep the program busy for hours.
  private static func checkRounds(_ count: Int) throws(TLSFileFault) {
    OpenSSLError.clear()
    guard (0...10_000_000).contains(count) else {
      throw .unreadable("it asks for \(count < 0 ? "too many" : "\(count)") rounds of key derivation")
    }
  }

  private static func decryptionFault(_ protection: String) -> TLSFileFault {
    OpenSSLError.take().saysUnsupported ? .unsupportedAlgorithm(protection) : .wrongPassphrase
  }

  /// Lends a passphrase as OpenSSL wants it; an empty one has an address, none has not.
  private static func lend<Result>(
    _ passphrase: [UInt8]?, _ body: (UnsafePointer<CChar>?, Int32) -> Result
  ) -> Result {
    guard let passphrase, let count = Int32(exactly: passphrase.count) else { return body(nil, 0) }
    return (passphrase.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { body($0.baseAddress, count) }
  }
}
