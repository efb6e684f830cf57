import Glibc
import Names
import Testing

struct IPAddressTests {
  @Test(arguments: [
    ("127.0.0.1", "127.0.0.1"), ("255.255.255.255", "255.255.255.255"), ("0.0.0.0", "0.0.0.0"),
    ("::", "::"), ("::1", "::1"), ("1::", "1::"), ("2001:DB8:0:0::1", "2001:db8::1"),
    ("2001:db80:0000:0000:0000:0000:0000:0000", "2001:db80::"), ("2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"),
    ("2001:0:0:1:0:0:0:1", "2001:0:0:1::1"), ("2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"),
    ("::ffff:192.0.2.1", "::ffff:192.0.2.1"), ("::FFFF:c000:201", "::ffff:192.0.2.1"),
    ("64:ff9b::192.0.2.33", "64:ff9b::c000:221"),
    ("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"), ("::2:3:4:5:6:7:8", "0:2:3:4:5:6:7:8"),
  ])
  func normalForm(text: String, expected: String) throws {
    let address = try #require(IPAddress(text))
    #expect(address.description == expected)
    #expect(IPAddress(expected) == address)
    #expect(IPAddress(bytes: address.bytes) == address)
  }

  @Test(arguments: [
    "", "1", "1.2.3", "1.2.3.4.5", "01.2.3.4", "256.1.1.1", "1.2.3.4 ", " 1.2.3.4", "1.2.3.", "0x7f.0.0.1", "127.1",
    "1..2.3", "+1.2.3.4",
    ":", ":::", "1:", ":1", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "::1::", "1::2::3", "12345::", "g::", "[::1]",
    "fe80::1%eth0", "::1.2.3",
    "1.2.3.4::", "::1.2.3.4:5", "1:2:3:4:5:6:7:1.2.3.4", "1:2:3:4:5:6:7:8::", "::1:2:3:4:5:6:7:8", "1:::2", "\0",
    "1.2.3.4\0", "１.2.3.4",
  ])
  func refused(text: String) {
    #expect(IPAddress(text) == nil)
  }

  @Test func bytesInNetworkOrder() {
    #expect(IPAddress(bytes: [192, 0, 2, 1]) == IPAddress("192.0.2.1"))
    #expect(IPAddress("192.0.2.1")?.bytes == [192, 0, 2, 1])
    #expect(IPAddress("2001:db8::1")?.bytes == [0x20, 1, 0x0D, 0xB8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1])
    #expect(
      IPAddress(bytes: []) == nil && IPAddress(bytes: [1, 2, 3]) == nil
        && IPAddress(bytes: Array(repeating: 0, count: 17)) == nil)
  }

  @Test func kinds() throws {
    func all(_ texts: [String], _ kind: KeyPath<IPAddress, Bool>) -> Bool {
      texts.allSatisfy { IPAddress($0)?[keyPath: kind] == true }
    }
    func none(_ texts: [String], _ kind: KeyPath<IPAddress, Bool>) -> Bool {
      texts.allSatisfy { IPAddress($0)?[keyPath: kind] == false }
    }
    #expect(all(["127.0.0.1", "127.255.255.255", "::1", "::ffff:127.0.0.1"], \.isLoopback))
    #expect(none(["126.255.255.255", "128.0.0.0", "::2", "1::1", "::", "::ffff:10.0.0.1"], \.isLoopback))
    #expect(all(["169.254.0.0", "fe80::1", "febf::", "::ffff:169.254.1.1"], \.isLinkLocal))
    #expect(none(["169.253.0.0", "fe00::1", "fec0::"], \.isLinkLocal))
    #expect(
      all(
        ["10.0.0.0", "172.16.0.1", "172.31.255.255", "192.168.0.1", "fc00::", "fdff::1", "::ffff:10.1.1.1"], \.isPrivate
      ))
    #expect(
      none(["11.0.0.0", "172.15.0.1", "172.32.0.0", "192.169.0.1", "100.64.0.9", "fe00::", "fb00::"], \.isPrivate))
    #expect(all(["0.0.0.0", "::", "::ffff:0.0.0.0"], \.isUnspecified) && none(["0.0.0.1", "::1"], \.isUnspecified))
    #expect(
      all(["224.0.0.1", "239.1.1.1", "ff02::1"], \.isMulticast)
        && none(["223.0.0.1", "240.0.0.1", "fe02::"], \.isMulticast))
  }

  @Test func unmapped() {
    #expect(IPAddress("::ffff:192.0.2.1")?.unmapped == IPAddress("192.0.2.1"))
    #expect(IPAddress("::fffe:192.0.2.1")?.unmapped == IPAddress("::fffe:192.0.2.1"))
    #expect(IPAddress("192.0.2.1")?.unmapped == IPAddress("192.0.2.1"))
  }

  /// The C library reads and writes the same addresses.
  @Test func agreesWithTheCLibrary() {
    var random = SeededGenerator(seed: 1)
    let pieces = [
      "1", "12", "255", "256", "0", "00", "a", "fFfF", "abcde", ":", ":", "::", ".", ".", "1.2.3.4", "ffff:", "0:", "-",
      "%1",
    ]
    for _ in 0..<6_000 {
      let text = random.text(from: pieces, count: 12)
      var bytes = [UInt8](repeating: 0, count: 16)
      let isV6 = inet_pton(AF_INET6, text, &bytes) == 1
      let expected = isV6 ? bytes : inet_pton(AF_INET, text, &bytes) == 1 ? Array(bytes[..<4]) : nil
      #expect(IPAddress(text)?.bytes == expected, "\(text)")
    }
    for _ in 0..<2_000 {
      let bytes = (0..<16).map { _ in Bool.random(using: &random) ? UInt8.random(in: 0...255, using: &random) : 0 }
      // Below ::/96 the C library writes a dotted quad, which RFC 5952 does not.
      guard bytes.prefix(12).contains(where: { $0 != 0 }) else { continue }
      var buffer = [CChar](repeating: 0, count: 64)
      _ = inet_ntop(AF_INET6, bytes, &buffer, 64)
      let expected = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      #expect(IPAddress(bytes: bytes)?.description == expected)
    }
  }
}
