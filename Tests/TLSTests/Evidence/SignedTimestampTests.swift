import COpenSSL
import Testing

@testable import TLS

@Suite("Timestamps of Certificate Transparency") struct SignedTimestampTests {
  private let authority: TestAuthority
  private let logs: [TestLog]
  private let now = UInt64(TestAuthority.now) * 1_000

  init() throws {
    authority = try TestAuthority()
    logs = [try TestLog(), try TestLog(.rsa2048)]
  }

  private var known: [[UInt8]: TransparencyLogKey] {
    Dictionary(uniqueKeysWithValues: logs.map { ($0.publicKey.logID, $0.publicKey) })
  }

  private func timestamps(_ source: SignedTimestamp.Source, _ signature: SignedTimestamp.Signature)
    -> [SignedTimestamp]
  {
    logs.map {
      SignedTimestamp(source: source, logID: $0.publicKey.logID, milliseconds: now, signature: signature)
    }
  }

  private func collect(
    _ leaf: Certificate, issuer: Certificate? = nil, handshake: [UInt8] = [], staple: [UInt8]? = nil,
    logs: [[UInt8]: TransparencyLogKey]? = nil
  ) -> [SignedTimestamp] {
    SignedTimestamp.collect(
      leaf: leaf, issuer: issuer ?? authority.certificate, handshake: handshake, staple: staple, logs: logs ?? known)
  }

  @Test("Inside the certificate: made for it as it was before, and for its issuer's key")
  func embedded() throws {
    let leaf = try authority.leaf("a.test", loggedBy: logs, at: now)
    #expect(collect(leaf) == timestamps(.certificate, .valid))
    #expect(collect(leaf, logs: [:]) == timestamps(.certificate, .unknownLog))
    #expect(collect(leaf, issuer: leaf) == timestamps(.certificate, .invalid))
    let alone = SignedTimestamp.collect(leaf: leaf, issuer: nil, handshake: [], staple: nil, logs: known)
    #expect(alone == timestamps(.certificate, .unchecked))
  }

  @Test("Of another certificate they are not valid")
  func foreign() throws {
    let other = try authority.leaf(.dns("a.test"))
    let list = TestLog.list(try logs.map { try $0.timestamp(LogEntry(other), at: now) })
    #expect(
      collect(try authority.embed(list, in: authority.leaf(.dns("a.test")))) == timestamps(.certificate, .invalid))
    #expect(collect(try authority.leaf(.dns("a.test")), handshake: list) == timestamps(.handshake, .invalid))
  }

  @Test("From the handshake and from the stapled response: made for the certificate as it is")
  func beside() throws {
    let leaf = try authority.leaf(.dns("a.test"))
    let entry = LogEntry(leaf)
    let list = TestLog.list(try logs.map { try $0.timestamp(entry, at: now, extensions: [1, 2, 3]) })
    #expect(collect(leaf, handshake: list) == timestamps(.handshake, .valid))
    let responder = TestResponder(issuer: authority)
    let staple = try responder.response(.good, about: leaf, timestamps: list)
    #expect(collect(leaf, staple: staple) == timestamps(.staple, .valid))
    #expect(collect(leaf, handshake: list, staple: staple).count == 4)
    let other = try authority.leaf(.dns("b.test"))
    #expect(collect(other, staple: staple).isEmpty)
    #expect(collect(leaf, staple: try responder.response(.good, about: leaf)).isEmpty)
  }

  @Test("Every byte counts: a list that is changed anywhere is not valid, or names another log")
  func changed() throws {
    let leaf = try authority.leaf(.dns("a.test"))
    let list = TestLog.list([try logs[0].timestamp(LogEntry(leaf), at: now, extensions: [7])])
    for index in list.indices {
      var bytes = list
      bytes[index] ^= 1
      let found = collect(leaf, handshake: bytes)
      #expect(!found.contains { $0.signature == .valid }, "byte \(index)")
    }
    for count in 0..<list.count { #expect(collect(leaf, handshake: Array(list.prefix(count))).isEmpty) }
  }

  @Test("However many there are, only the first few are checked and kept")
  func bounded() throws {
    let leaf = try authority.leaf(.dns("a.test"))
    let one = try logs[0].timestamp(LogEntry(leaf), at: now)
    let found = collect(leaf, handshake: TestLog.list([[UInt8]](repeating: one, count: 100)))
    #expect(found.count == 64)
    #expect(found.prefix(24).allSatisfy { $0.signature == .valid })
    #expect(found.dropFirst(24).allSatisfy { $0.signature == .unchecked })
  }

  @Test("Keys of logs")
  func keys() throws {
    #expect(throws: TLSFileFault.self) { try TransparencyLogKey(spki: []) }
    #expect(throws: TLSFileFault.self) { try TransparencyLogKey(spki: [0x30, 0x00]) }
    let pointer = logs[0].key.pointer
    let spki = LibraryBytes.encoded { i2d_PUBKEY(pointer, $0) } ?? []
    #expect(throws: TLSFileFault.self) { try TransparencyLogKey(spki: spki + [0]) }
    let edwards = try PrivateKey(pem: Fixtures.file("ed25519.key.pem"), passphrase: nil)
    #expect(throws: TLSFileFault.self) {
      try TransparencyLogKey(spki: LibraryBytes.encoded { i2d_PUBKEY(edwards.pointer, $0) } ?? [])
    }
    #expect(try TransparencyLogKey(spki: spki).logID == Digest.sha256(spki))
  }
}
