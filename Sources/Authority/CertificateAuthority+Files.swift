import Glibc
import TLS

extension CertificateAuthority {
  /// The authority in a state directory, made there if there is none: `authority.key` (0600) and `authority.pem` (0644).
  ///
  /// Makes the directory (0700) when it is missing. An existing key is never overwritten. A key without certificate, which is
  /// what a crash at the first start leaves, gets a new certificate.
  public static func loadOrMake(directory: String) throws(AuthorityFault) -> LoadedAuthority {
    try loadOrMake(directory: directory, now: Int64(time(nil)))
  }

  static func loadOrMake(directory: String, now: Int64) throws(AuthorityFault) -> LoadedAuthority {
    let files = StateFolder(directory: directory)
    try files.makeDirectory()
    var warnings: [String] = []
    let key = try loadOrMakeKey(files, &warnings)
    let (certificates, isNew) = try loadOrMakeCertificates(files, key, now)
    guard let certificate = certificates.first(where: key.matches) else { throw .keyMismatch }
    let authority = try CertificateAuthority(
      certificate: certificate, key: key, issuers: certificates.filter { $0 != certificate })
    return LoadedAuthority(authority: authority, isNew: isNew, warnings: warnings + authority.warnings(at: now))
  }

  /// Makes a new pair. The old one stays in the directory under the date, such as `authority-20260131.pem` and `.key`.
  ///
  /// A running daemon keeps the authority that it began with. After a crash in between `loadOrMake` finds a key with or
  /// without its certificate, the old one or the new one, and goes on.
  public static func rotate(directory: String) throws(AuthorityFault) -> LoadedAuthority {
    try rotate(directory: directory, now: Int64(time(nil)))
  }

  static func rotate(directory: String, now: Int64) throws(AuthorityFault) -> LoadedAuthority {
    let files = StateFolder(directory: directory)
    try files.makeDirectory()
    let key = try generateKey()
    let certificate = try makeCertificate(for: key, now: now)
    try keepOldPair(files, now)
    // The certificate goes first and comes last, so that there is never one beside a key that it does not belong to.
    try files.remove(files.certificatePath)
    try files.replace(files.keyPath, with: try pem(key), mode: 0o600)
    try files.replace(files.certificatePath, with: Array(certificate.pem.utf8), mode: 0o644)
    return LoadedAuthority(
      authority: try CertificateAuthority(certificate: certificate, key: key), isNew: true, warnings: [])
  }

  private static func loadOrMakeKey(
    _ files: StateFolder, _ warnings: inout [String]
  ) throws(AuthorityFault) -> PrivateKey {
    if let key = try loadKey(files, &warnings) { return key }
    guard access(files.certificatePath, F_OK) != 0 else {
      // Both may have come from another process between the two looks.
      if let key = try loadKey(files, &warnings) { return key }
      throw .keyMissing(path: files.keyPath)
    }
    let key = try generateKey()
    if try files.publish(try pem(key), at: files.keyPath, mode: 0o600) { return key }
    guard let other = try loadKey(files, &warnings) else { throw .keyMissing(path: files.keyPath) }
    return other
  }

  private static func loadKey(
    _ files: StateFolder, _ warnings: inout [String]
  ) throws(AuthorityFault) -> PrivateKey? {
    guard let (bytes, mode) = try files.read(files.keyPath) else { return nil }
    if mode & 0o077 != 0 {
      warnings.append("\(files.keyPath) can be used by others: chmod 600 \(files.keyPath)")
    }
    do {
      return try PrivateKey(pem: bytes, passphrase: nil)
    } catch {
      throw .file(path: files.keyPath, error)
    }
  }

  private static func loadOrMakeCertificates(
    _ files: StateFolder, _ key: PrivateKey, _ now: Int64
  ) throws(AuthorityFault) -> (certificates: [Certificate], isNew: Bool) {
    if let found = try loadCertificates(files) { return (found, false) }
    let made = try makeCertificate(for: key, now: now)
    if try files.publish(Array(made.pem.utf8), at: files.certificatePath, mode: 0o644) { return ([made], true) }
    // Another process was first.
    guard let found = try loadCertificates(files) else { throw .file(path: files.certificatePath, .noCertificate) }
    return (found, false)
  }

  private static func loadCertificates(_ files: StateFolder) throws(AuthorityFault) -> [Certificate]? {
    guard let (bytes, _) = try files.read(files.certificatePath) else { return nil }
    do {
      return try Certificate.parse(pemOrDER: bytes)
    } catch {
      throw .file(path: files.certificatePath, error)
    }
  }

  private static func keepOldPair(_ files: StateFolder, _ now: Int64) throws(AuthorityFault) {
    let date = dateText(now)
    for number in 1...1000 {
      let name = number == 1 ? "authority-\(date)" : "authority-\(date)-\(number)"
      if access(files.keyPath, F_OK) == 0 {
        guard try files.keep(files.keyPath, as: "\(name).key") else { continue }
      }
      if access(files.certificatePath, F_OK) == 0 {
        guard try files.keep(files.certificatePath, as: "\(name).pem") else { continue }
      }
      return
    }
    throw .failed("\(files.directory) holds a thousand authorities of this day")
  }

  private static func dateText(_ now: Int64) -> String {
    var seconds = time_t(now)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    let twoDigits = { (number: Int32) in (number < 10 ? "0" : "") + String(number) }
    return String(parts.tm_year + 1900) + twoDigits(parts.tm_mon + 1) + twoDigits(parts.tm_mday)
  }

  private static func generateKey() throws(AuthorityFault) -> PrivateKey {
    do {
      return try PrivateKey.generate(.p256)
    } catch {
      throw .failed(error.description)
    }
  }

  private static func pem(_ key: PrivateKey) throws(AuthorityFault) -> [UInt8] {
    do {
      return Array(try key.pem().utf8)
    } catch {
      throw .failed(error.description)
    }
  }
}
