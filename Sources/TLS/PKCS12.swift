import COpenSSL

/// PKCS#12 files (`.p12`, `.pfx`; RFC 7292): identities with their keys behind a passphrase.
public enum PKCS12 {
  /// Reads a file of any age: AES with PBKDF2, 3DES and RC2 of old exports, the last in a library context apart from TLS.
  ///
  /// The passphrase is tried as it is, then as programs took it that knew nothing but ISO 8859-1; an empty one also as none.
  /// The keys can be used by TLS.
  ///
  /// - Parameter allowUnauthenticated: takes a file without MAC, of which nothing proves that it is whole.
  public static func load(
    _ bytes: [UInt8], passphrase: [UInt8], allowUnauthenticated: Bool
  ) throws(TLSFileFault) -> PKCS12Contents {
    let file = try PKCS12File(bytes)
    if !file.hasMAC && !allowUnauthenticated { throw .noMAC }
    var fault = TLSFileFault.wrongPassphrase
    for candidate in candidates(passphrase) {
      do throws(TLSFileFault) {
        return try contents(of: try file.open(candidate), mac: file.mac)
      } catch .wrongPassphrase {
        continue
      } catch .unsupportedAlgorithm(let name) {
        // Another form of the passphrase does not help, but says whether this one was right.
        fault = .unsupportedAlgorithm(name)
      }
    }
    throw fault
  }

  /// Writes one identity with its chain as OpenSSL 3 and current systems read it.
  public static func write(
    _ identity: Identity, friendlyName: String?, passphrase: [UInt8]
  ) throws(TLSFileFault) -> [UInt8] {
    try write(
      [PKCS12Contents.Entry(identity: identity, friendlyName: friendlyName, localKeyID: nil)], passphrase: passphrase)
  }

  /// The forms in which programs have fed one passphrase to the key derivation; nil is none at all.
  private static func candidates(_ passphrase: [UInt8]) -> [[UInt8]?] {
    if passphrase.isEmpty { return [nil, []] }
    if passphrase.allSatisfy({ $0 < 0x80 }) { return [passphrase] }
    // Each byte as a character of its own: what OpenSSL before 1.1 made of a UTF-8 passphrase.
    let byteWise = passphrase.flatMap { Array(String(UnicodeScalar($0)).utf8) }
    // The characters in ISO 8859-1, where there are such: PBKDF2 takes the bytes as they are.
    let latin = String(validating: passphrase, as: UTF8.self)?.unicodeScalars.map { UInt8(exactly: $0.value) }
    let narrow = latin.flatMap { $0.contains(nil) ? nil : $0.compactMap(\.self) }
    return [passphrase] + (narrow.map { [$0] } ?? []) + [byteWise]
  }

  private static func contents(
    of items: PKCS12Items, mac: PKCS12Contents.MAC?
  ) throws(TLSFileFault) -> PKCS12Contents {
    guard !items.certificates.isEmpty else { throw .noCertificate }
    guard !items.keys.isEmpty else { throw .noKey }
    let entries = items.keys.compactMap { entry(for: $0, in: items) }
    guard !entries.isEmpty else { throw .keyMismatch }
    return PKCS12Contents(
      entries: entries, protections: items.protections, mac: mac, fewestRounds: items.fewestRounds)
  }

  private static func entry(for key: PKCS12Items.Key, in items: PKCS12Items) -> PKCS12Contents.Entry? {
    let fitting = items.certificates.filter { key.key.matches($0.certificate) }
    let marked = fitting.first { $0.localKeyID != nil && $0.localKeyID == key.localKeyID }
    guard let leaf = marked ?? fitting.first else { return nil }
    let friendlyName = leaf.friendlyName ?? key.friendlyName
    let identity = Identity(
      name: friendlyName ?? leaf.certificate.commonName ?? leaf.certificate.subject, leaf: leaf.certificate,
      chain: Identity.issuers(of: leaf.certificate, among: items.certificates.map(\.certificate)), key: key.key)
    return PKCS12Contents.Entry(
      identity: identity, friendlyName: friendlyName, localKeyID: leaf.localKeyID ?? key.localKeyID)
  }
}
