import Testing

@testable import TLS

@Suite struct PKCS12Tests {
  private static func load(
    _ name: String, _ passphrase: String = "secret", allowUnauthenticated: Bool = false
  ) throws -> PKCS12Contents {
    try PKCS12.load(
      Fixtures.file(name), passphrase: Array(passphrase.utf8), allowUnauthenticated: allowUnauthenticated)
  }

  @Test(arguments: [
    ("modern.p12", "secret", ["AES-256-CBC/PBKDF2"]),
    ("3des.p12", "secret", ["3DES"]),
    ("rc2-40.p12", "secret", ["RC2-40", "3DES"]),
    ("empty-passphrase.p12", "", ["AES-256-CBC/PBKDF2"]),
    ("rc2-40-empty-passphrase.p12", "", ["RC2-40", "3DES"]),
    ("utf8.p12", "geheimnüß", ["AES-256-CBC/PBKDF2"]),
    ("latin1.p12", "geheimnüß", ["AES-256-CBC/PBKDF2"]),
    ("bytewise.p12", "geheimnüß", ["3DES"]),
  ])
  func everyAge(_ name: String, _ passphrase: String, _ protections: [String]) throws {
    let contents = try Self.load(name, passphrase)
    #expect(contents.protections == protections)
    let entry = try #require(contents.entries.first)
    #expect(contents.entries.count == 1)
    #expect(entry.friendlyName == "Corp" && entry.identity.name == "Corp")
    #expect(entry.localKeyID?.count == 20)
    #expect(entry.identity.leaf == (try Fixtures.certificate("alice.pem")))
    #expect(entry.identity.chain.map(\.commonName) == ["Fixture Intermediate", "Fixture Root"])
    // The key works in the library context that TLS works in.
    let draft = CertificateDraft(commonName: "x", role: .leaf, notBefore: 0, notAfter: 1)
    #expect(try draft.selfSigned(with: entry.identity.key).spkiDigest == entry.identity.leaf.spkiDigest)
  }

  @Test func legacyAlgorithmsStayAwayFromTLS() throws {
    _ = try Self.load("rc2-40.p12")
    let outcome = PrivateKey.read(try Fixtures.file("pkcs8-rc2.key.pem"), Array("secret".utf8), nil)
    guard case .failure(.unsupportedAlgorithm) = outcome else {
      Issue.record("the default library context decrypts RC2")
      return
    }
  }

  @Test(arguments: ["modern.p12", "3des.p12", "rc2-40.p12", "empty-passphrase.p12", "utf8.p12"])
  func wrongPassphrase(_ name: String) throws {
    #expect(throws: TLSFileFault.wrongPassphrase) { try Self.load(name, "wrong") }
    if name != "empty-passphrase.p12" { #expect(throws: TLSFileFault.wrongPassphrase) { try Self.load(name, "") } }
    #expect(throws: TLSFileFault.wrongPassphrase) { try Self.load(name, "fälsch") }
  }

  @Test func withoutMAC() throws {
    #expect(throws: TLSFileFault.noMAC) { try Self.load("no-mac.p12") }
    let contents = try Self.load("no-mac.p12", allowUnauthenticated: true)
    #expect(contents.entries.first?.identity.leaf.commonName == "Alice")
    #expect(throws: TLSFileFault.wrongPassphrase) { try Self.load("no-mac.p12", "wrong", allowUnauthenticated: true) }
  }

  @Test func roundsWithoutEnd() throws {
    // The MAC's rounds are the last element of the file.
    var file = try Fixtures.file("modern.p12")
    let rounds: [UInt8] = [0x02, 0x02, 0x08, 0x00]
    #expect(Array(file.suffix(4)) == rounds)
    // A negative number is as good as an endless one.
    file[file.count - 2] = 0xFF
    #expect(throws: TLSFileFault.unreadable("it asks for too many rounds of key derivation")) {
      try PKCS12.load(file, passphrase: Array("secret".utf8), allowUnauthenticated: false)
    }
  }

  @Test func severalIdentities() throws {
    let contents = try Self.load("two-identities.p12")
    #expect(contents.entries.map(\.friendlyName) == ["Corp", "Other"])
    #expect(contents.entries.map(\.identity.leaf.commonName) == ["Alice", "Bob"])
    #expect(contents.entries.map(\.localKeyID) == [[1], [2]])
    for entry in contents.entries {
      #expect(entry.identity.key.matches(entry.identity.leaf))
      #expect(entry.identity.chain.map(\.commonName) == ["Fixture Intermediate"])
    }
  }

  @Test func incompleteAndUnreadable() throws {
    #expect(throws: TLSFileFault.noKey) { try Self.load("no-key.p12") }
    #expect(throws: TLSFileFault.noCertificate) { try Self.load("no-certificate.p12") }
    for bytes in [
      [], Array("junk".utf8), try Fixtures.file("alice.pem"), Array(try Fixtures.file("modern.p12").dropLast()),
    ] {
      let fault = #expect(throws: TLSFileFault.self) {
        try PKCS12.load(bytes, passphrase: [], allowUnauthenticated: false)
      }
      guard case .unreadable = fault else {
        Issue.record("\(String(describing: fault))")
        continue
      }
    }
  }

  @Test func writtenAnew() throws {
    let old = try #require(try Self.load("rc2-40.p12").entries.first)
    let bytes = try PKCS12.write(old.identity, friendlyName: old.friendlyName, passphrase: Array("neu: ü".utf8))
    let contents = try PKCS12.load(bytes, passphrase: Array("neu: ü".utf8), allowUnauthenticated: false)
    #expect(contents.protections == ["AES-256-CBC/PBKDF2"])
    let new = try #require(contents.entries.first)
    #expect(new.friendlyName == "Corp" && new.identity.leaf == old.identity.leaf)
    #expect(new.identity.chain == old.identity.chain)
    #expect(throws: TLSFileFault.self) { try PKCS12.write(old.identity, friendlyName: nil, passphrase: [1, 0, 2]) }
    #expect(throws: TLSFileFault.wrongPassphrase) {
      try PKCS12.load(bytes, passphrase: [], allowUnauthenticated: false)
    }
  }

  /// Nothing that stands in a file may stop the program.
  @Test func mutatedFilesAreRefusedOrRead() throws {
    var generator = Lehmer(seed: 2)
    for name in ["no-mac.p12", "two-identities.p12"] {
      let file = try Fixtures.file(name)
      for _ in 0..<150 {
        var bytes = file
        for _ in 0..<Int.random(in: 1...3, using: &generator) {
          bytes[Int.random(in: bytes.indices, using: &generator)] = .random(in: 0...255, using: &generator)
        }
        _ = try? PKCS12.load(bytes, passphrase: Array("secret".utf8), allowUnauthenticated: true)
      }
    }
  }
}
