import Glibc
import Testing

@testable import pinwarden

@Suite struct InheritedSocketsTests {
  @Test func namesBelongToDescriptorsFromThreeOn() {
    let environment = ["LISTEN_PID": "7", "LISTEN_FDS": "3", "LISTEN_FDNAMES": "web::web"]
    #expect(InheritedSockets.descriptors(environment: environment, process: 7) == ["web": 3, "": 4])
  }

  @Test func withoutNamesTheyAreUnknown() {
    #expect(
      InheritedSockets.descriptors(environment: ["LISTEN_PID": "7", "LISTEN_FDS": "1"], process: 7) == ["unknown": 3])
  }

  @Test(arguments: [
    [:], ["LISTEN_PID": "8", "LISTEN_FDS": "1"], ["LISTEN_FDS": "1"], ["LISTEN_PID": "7"],
    ["LISTEN_PID": "7", "LISTEN_FDS": "-1"], ["LISTEN_PID": "7", "LISTEN_FDS": "99999999999"],
    ["LISTEN_PID": "7", "LISTEN_FDS": "x"],
  ])
  func whatIsNotMeantForThisProcessIsLeftAlone(environment: [String: String]) {
    #expect(InheritedSockets.descriptors(environment: environment, process: 7).isEmpty)
  }
}

@Suite struct SystemdNotifierTests {
  @Test func datagramsArriveUnderBothKindsOfNames() throws {
    for name in ["@pinwarden-test-\(getpid())", "/tmp/pinwarden-test-\(getpid())"] {
      let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
      defer {
        close(descriptor)
        unlink(name)
      }
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      var bytes = Array(name.utf8)
      if bytes[0] == UInt8(ascii: "@") { bytes[0] = 0 }
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
      let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
      let isBound = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) == 0 }
      }
      try #require(isBound)
      let notifier = SystemdNotifier(environment: ["NOTIFY_SOCKET": name])
      notifier.ready()
      notifier.reloading()
      #expect(receive(descriptor) == "READY=1")
      #expect(receive(descriptor).hasPrefix("RELOADING=1\nMONOTONIC_USEC="))
    }
  }

  @Test(arguments: [nil, "", "relative", "/nowhere/at/all", "/" + String(repeating: "x", count: 300)])
  func withoutAListenerNothingHappens(name: String?) {
    SystemdNotifier(environment: name.map { ["NOTIFY_SOCKET": $0] } ?? [:]).ready()
  }

  private func receive(_ descriptor: Int32) -> String {
    var buffer = [UInt8](repeating: 0, count: 256)
    let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
    return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
  }
}

@Suite struct LineReaderTests {
  private func lines(_ text: String) throws -> [String] {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    #expect(write(ends[1], text, text.utf8.count) == text.utf8.count)
    close(ends[1])
    defer { close(ends[0]) }
    let reader = LineReader(descriptor: ends[0])
    var lines: [String] = []
    while let line = try reader.next() { lines.append(String(decoding: line, as: UTF8.self)) }
    return lines
  }

  @Test(arguments: [("", []), ("a", ["a"]), ("a\n", ["a"]), ("\n\na\nb", ["", "", "a", "b"])])
  func linesAreSplit(text: String, expected: [String]) throws {
    #expect(try lines(text) == expected)
  }
}

@Suite struct PlainTextTests {
  @Test(arguments: [("/a/b.pem", "/a/b.pem"), ("/a b", "'/a b'"), ("it's", "'it'\\''s'"), ("", "''"), ("$x", "'$x'")])
  func shellWords(text: String, word: String) {
    #expect(PlainText.shellWord(text) == word)
  }

  @Test func namesCannotSteerTheTerminal() {
    #expect(PlainText.oneLine("a\u{1B}[31m\nb") == "a\u{FFFD}[31m\u{FFFD}b")
  }

  @Test(arguments: [("0.0.0.0:80", "127.0.0.1:80"), ("[::]:80", "[::1]:80"), ("192.0.2.1:80", "192.0.2.1:80")])
  func aListenerOnAllAddressesIsReachedOnLoopback(address: String, reachable: String) {
    #expect(Greeting.reachable(address) == reachable)
  }
}
