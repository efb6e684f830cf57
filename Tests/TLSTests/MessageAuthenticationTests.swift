import Testing

@testable import TLS

@Suite struct MessageAuthenticationTests {
  /// RFC 4231, section 4.3 (test case 2).
  @Test func knownAnswer() {
    let code = MessageAuthentication.sha256(key: Array("Jefe".utf8), Array("what do ya want for nothing?".utf8))
    #expect(code.prefix(8) == [0x5B, 0xDC, 0xC1, 0x46, 0xBF, 0x60, 0x75, 0x4E] && code.suffix(2) == [0x38, 0x43])
    #expect(code.count == 32)
  }

  @Test func keyAndMessageMatter() {
    let code = MessageAuthentication.sha256(key: [], [])
    #expect(code.count == 32)
    #expect(MessageAuthentication.sha256(key: [1], []) != code && MessageAuthentication.sha256(key: [], [1]) != code)
  }
}
