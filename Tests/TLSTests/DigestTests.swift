import Testing

@testable import TLS

@Suite struct DigestTests {
  private static let abc: [UInt8] = [
    0xBA, 0x78, 0x16, 0xBF, 0x8F, 0x01, 0xCF, 0xEA, 0x41, 0x41, 0x40, 0xDE, 0x5D, 0xAE, 0x22, 0x23, 0xB0, 0x03, 0x61,
    0xA3,
    0x96, 0x17, 0x7A, 0x9C, 0xB4, 0x10, 0xFF, 0x61, 0xF2, 0x00, 0x15, 0xAD,
  ]

  @Test func knownAnswers() {
    #expect(Digest.sha256(Array("abc".utf8)) == Self.abc)
    #expect(Digest.sha1(Array("abc".utf8)).prefix(4) == [0xA9, 0x99, 0x3E, 0x36])
    #expect(Digest.sha256([]).prefix(4) == [0xE3, 0xB0, 0xC4, 0x42])
  }

  @Test func inPieces() {
    let stream = SHA256Stream()
    for piece in ["a", "", "bc"] { Array(piece.utf8).withUnsafeBytes { stream.update($0) } }
    #expect(stream.finish() == Self.abc)
    Array("abc".utf8).withUnsafeBytes { stream.update($0) }
    #expect(stream.finish() == Self.abc)
    #expect(stream.finish() == Digest.sha256([]))
  }

  @Test func randomBytesDiffer() {
    #expect(RandomBytes.make(16).count == 16 && RandomBytes.make(0).isEmpty)
    #expect(RandomBytes.make(16) != RandomBytes.make(16))
    let serials = (0..<100).map { _ in CertificateDraft.randomSerial() }
    #expect(serials.allSatisfy { $0.count == 16 && (0x40...0x7F).contains($0[0]) } && Set(serials).count == 100)
  }

  @Test func version() {
    #expect(LibraryVersions.openSSL.hasPrefix("3."))
  }
}
