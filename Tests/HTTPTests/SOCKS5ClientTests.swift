import Bytes
import HTTP
import Testing

@Suite("SOCKS 5 as a client")
struct SOCKS5ClientTests {
  private static let target = SOCKS5.Target(destination: .name("a.test"), port: 443)
  private static let request: [UInt8] = [5, 1, 0, 3, 6] + Array("a.test".utf8) + [1, 187]

  /// Plays a talk with pieces of `size` bytes.
  /// - Returns: all that was sent, the end, and what was left.
  private func talk(
    _ answers: [UInt8], size: Int, target: SOCKS5.Target = target, credentials: SOCKS5Client.Credentials? = nil
  ) -> (sent: [UInt8], end: SOCKS5Client.Action, left: [UInt8]) {
    var client = SOCKS5Client(target: target, credentials: credentials)
    let queue = ByteQueue()
    var sent: [UInt8] = []
    var rest = answers[...]
    while true {
      let action = client.advance(queue)
      switch action {
      case .needMore:
        guard !rest.isEmpty else { return (sent, .needMore, Array(queue.bytes)) }
        queue.append(Array(rest.prefix(size)))
        rest = rest.dropFirst(size)
      case .send(let bytes): sent += bytes
      case .connected, .failed: return (sent, action, Array(queue.bytes) + rest)
      }
    }
  }

  @Test("a connection without credentials, in pieces of every size")
  func plain() {
    let answers: [UInt8] = [5, 0, 5, 0, 0, 1, 127, 0, 0, 1, 0, 80] + Array("220".utf8)
    for size in 1...answers.count {
      let talk = talk(answers, size: size)
      #expect(talk.sent == Self.request && talk.end == .connected && talk.left == Array("220".utf8))
    }
  }

  @Test("a connection with credentials, in pieces of every size")
  func credentials() throws {
    let credentials = try #require(SOCKS5Client.Credentials(user: "me", password: "x y"))
    let answers: [UInt8] = [5, 2, 1, 0, 5, 0, 0, 3, 3, 1, 2, 3, 0, 80, 9]
    for size in 1...answers.count {
      let talk = talk(answers, size: size, credentials: credentials)
      #expect(talk.sent == [1, 2] + Array("me".utf8) + [3] + Array("x y".utf8) + Self.request)
      #expect(talk.end == .connected && talk.left == [9])
    }
    let anonymous = talk([5, 0, 5, 0, 0, 4] + [UInt8](repeating: 1, count: 18), size: 99, credentials: credentials)
    #expect(anonymous.sent == Self.request && anonymous.end == .connected && anonymous.left.isEmpty)
  }

  @Test(
    "what a proxy may refuse",
    arguments: [
      ([5, 0xFF], .unauthorized), ([5, 2], .malformed("It chose a method that was not offered.")),
      ([5, 0, 5, 5], .refused(5)), ([5, 0, 5, 99, 0], .refused(99)),
      ([0x48], .malformed("It does not begin with the version of SOCKS 5.")),
      ([5, 0, 4, 0], .malformed("Its reply does not begin with the version of SOCKS 5.")),
      ([5, 0, 5, 0, 0, 9, 0], .malformed("Its reply has an unknown kind of address.")),
    ] as [([UInt8], SOCKS5Client.Failure)])
  func refusals(_ answers: [UInt8], _ failure: SOCKS5Client.Failure) {
    for size in 1...answers.count { #expect(talk(answers, size: size).end == .failed(failure)) }
  }

  @Test("addresses are sent as addresses")
  func addresses() {
    let v4 = SOCKS5.Target(destination: .address([192, 0, 2, 1]), port: 80)
    #expect(talk([5, 0], size: 2, target: v4).sent == [5, 1, 0, 1, 192, 0, 2, 1, 0, 80])
    let bytes = (1...16).map { UInt8($0) }
    let v6 = SOCKS5.Target(destination: .address(bytes), port: 80)
    #expect(talk([5, 0], size: 2, target: v6).sent == [5, 1, 0, 4] + bytes + [0, 80])
  }

  @Test("credentials that RFC 1929 has no room for")
  func bounds() {
    #expect(SOCKS5Client.Credentials(user: "", password: "x") == nil)
    #expect(SOCKS5Client.Credentials(user: "x", password: String(repeating: "x", count: 256)) == nil)
  }
}
