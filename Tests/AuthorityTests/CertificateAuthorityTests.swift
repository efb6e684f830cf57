import Glibc
import TLS
import Testing

@testable import Authority

@Suite struct CertificateAuthorityTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func madeOnceAndKept() throws {
    let first = try CertificateAuthority.loadOrMake(directory: folder.path, now: Time.now)
    #expect(first.isNew && first.warnings.isEmpty)
    #expect(folder.names == ["authority.key", "authority.pem"])
    #expect(folder.mode("authority.key") == 0o600 && folder.mode("authority.pem") == 0o644)
    let second = try CertificateAuthority.loadOrMake(directory: folder.path, now: Time.now)
    #expect(!second.isNew && second.authority.certificate == first.authority.certificate)
    let certificate = first.authority.certificate
    #expect(certificate.isCA && certificate.isSelfIssued && certificate.maySignCertificates)
    #expect(certificate.key == KeyFacts(kind: .ec, bits: 256))
    #expect(certificate.notBefore == Time.now - 2 * Time.day)
    #expect((3651...3655).contains((certificate.notAfter - certificate.notBefore) / Time.day))
    let name = try #require(certificate.commonName)
    #expect(name.hasPrefix("pinwarden ") && name.hasSuffix(" CA") && name.utf8.count <= 64)
    #expect(!String(decoding: try folder.read("authority.pem"), as: UTF8.self).contains("PRIVATE"))
  }

  @Test func makesTheDirectory() throws {
    let path = "\(folder.path)/state/of/pinwarden"
    _ = try CertificateAuthority.loadOrMake(directory: path, now: Time.now)
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o700)
    for name in ["/authority.key", "/authority.pem", ""] { remove(path + name) }
    for name in ["/state/of", "/state"] { rmdir(folder.path + name) }
  }

  @Test func aCrashBetweenTheTwoFilesIsMended() throws {
    let first = try CertificateAuthority.loadOrMake(directory: folder.path, now: Time.now)
    unlink("\(folder.path)/authority.pem")
    let second = try CertificateAuthority.loadOrMake(directory: folder.path, now: Time.now)
    #expect(second.isNew)
    #expect(second.authority.certificate.spkiDigest == first.authority.certificate.spkiDigest)
    #expect(second.authority.certificate.subject == first.authority.certificate.subject)
  }

  @Test func aCertificateWithoutItsKeyIsNotOverwritten() throws {
    _ = try CertificateAuthority.loadOrMake(directory: folder.path, now: Time.now)
    let before = try folder.read("authority.pem")
    unlink("\(folder.path)/authority.key")
    #expect(throws: AuthorityFault.keyMissing(path: "\(folder.path)/authority.key")) {
      try CertificateAuthority.loadOrMake(directory: folder.path, now: Time.now)
    }
    #expect(folder.names == ["authority.pem"])
    #expect(try folder.read("authority.pem") == before)
  }

  @Test func unreadableFilesAreNamed() throws {
    _ = try CertificateAuthority.loadOrMake(directory: folder.path, now: Time.now)
    let (key, certificate) = (try folder.read("authority.key"), try folder.read("authority.pem"))
    try folder.write("junk", to: "authority.pem")
    let fault = #expect(throws: AuthorityFault.self) {
      try CertificateAuthority.loadOrMake(directory: folder.path, now: Time.now)
    }
    #expect(fault?.description.contains("authority.pem") == true)
    try folder.write(String(decoding: certificate, as: UTF8.self), to: "authority.pem")
    try folder.write("junk", to: "authority.key")
    #expect(throws: AuthorityFault.file(path: "\(folder.path)/authority.key", .noKey)) {
      try CertificateAuthority.loadOrMake(directory: folder.path, now: Time.now)
    }
    #expect(try folder.read("authority.key") == Array("junk".utf8))
    try folder.write(try PrivateKey.generate(.p256).pem(), to: "authority.key")
    #expect(throws: AuthorityFault.keyMismatch) {
      try CertificateAuthority.loadOrMake(directory: folder.path, now: Time.now)
    }
    try folder.write(String(decoding: key, as: UTF8.self), to: "authority.key")
    #expect(!(try CertificateAuthority.loadOrMake(directory: folder.path, now: Time.now)).isNew)
    unlink("\(folder.path)/authority.key")
    mkfifo("\(folder.path)/authority.key", 0o600)
    #expect(throws: AuthorityFault.self) { try CertificateAuthority.loadOrMake(directory: folder.path, now: Time.now) }
  }

  @Test func warnings() throws {
    _ = try CertificateAuthority.loadOrMake(directory: folder.path, now: Time.now)
    chmod("\(folder.path)/authority.key", 0o644)
    let open = try CertificateAuthority.loadOrMake(directory: folder.path, now: Time.now)
    #expect(open.warnings.count == 1 && open.warnings.first?.contains("chmod 600") == true)
    let authority = open.authority
    #expect(
      authority.warnings(at: authority.certificate.notAfter - Time.day).first?.contains("expires in 1 day") == true)
    #expect(authority.warnings(at: authority.certificate.notAfter + 1).first?.contains("has expired") == true)
    #expect(authority.warnings(at: 0).first?.contains("not valid yet") == true)
  }

  @Test func aDirectoryThatCannotBeMade() throws {
    try folder.write("", to: "file")
    let fault = #expect(throws: AuthorityFault.self) {
      try CertificateAuthority.loadOrMake(directory: "\(folder.path)/file/below", now: Time.now)
    }
    guard case .system("mkdir", _, ENOTDIR, _) = fault else {
      Issue.record("\(String(describing: fault))")
      return
    }
  }

  @Test func manyAtOnceEndWithOnePair() async throws {
    let path = folder.path
    let digests = try await withThrowingTaskGroup(of: [UInt8].self) { group in
      for _ in 0..<16 {
        group.addTask {
          try CertificateAuthority.loadOrMake(directory: path, now: Time.now).authority.certificate.fingerprint
        }
      }
      return try await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
    }
    #expect(digests.count == 1)
    #expect(folder.names == ["authority.key", "authority.pem"])
  }

  @Test func rotation() throws {
    let first = try CertificateAuthority.loadOrMake(directory: folder.path, now: Time.now)
    let second = try CertificateAuthority.rotate(directory: folder.path, now: Time.now)
    let third = try CertificateAuthority.rotate(directory: folder.path, now: Time.now)
    #expect(
      folder.names == [
        "authority-20250615-2.key", "authority-20250615-2.pem", "authority-20250615.key", "authority-20250615.pem",
        "authority.key", "authority.pem",
      ])
    let loaded = try CertificateAuthority.loadOrMake(directory: folder.path, now: Time.now)
    #expect(!loaded.isNew && loaded.authority.certificate == third.authority.certificate)
    #expect(try Certificate.parse(pemOrDER: folder.read("authority-20250615.pem")) == [first.authority.certificate])
    #expect(try Certificate.parse(pemOrDER: folder.read("authority-20250615-2.pem")) == [second.authority.certificate])
    #expect(folder.names.filter { $0.hasSuffix(".key") }.allSatisfy { folder.mode($0) == 0o600 })
    #expect(Set([first, second, third].map(\.authority.certificate.subject)).count == 3)
  }

  @Test func anAuthorityOfTheOperator() throws {
    let authority = try CertificateAuthority.made()
    let key = try PrivateKey.generate(.p256)
    #expect(throws: AuthorityFault.keyMismatch) {
      try CertificateAuthority(certificate: authority.certificate, key: key)
    }
    let leaf = try CertificateDraft(commonName: "leaf", role: .leaf, notBefore: 0, notAfter: 1).selfSigned(with: key)
    #expect(throws: AuthorityFault.notAnAuthority(subject: "CN=leaf")) {
      try CertificateAuthority(certificate: leaf, key: key)
    }
    let noSigning = try CertificateDraft(
      commonName: "ca", role: .authority(pathLength: nil), keyUsage: [.digitalSignature], notBefore: 0, notAfter: 1
    ).selfSigned(with: key)
    #expect(throws: AuthorityFault.notAnAuthority(subject: "CN=ca")) {
      try CertificateAuthority(certificate: noSigning, key: key)
    }
  }
}
