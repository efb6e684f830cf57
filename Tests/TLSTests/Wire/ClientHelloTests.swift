import Names
import Testing

@testable import TLS

@Suite("ClientHello") struct ClientHelloTests {
  private static let hello = ClientHello(
    serverName: "a.test", alpn: ["h2", "http/1.1"], versions: [0x7A7A, 0x0304, 0x0303])

  private static func vector8(_ bytes: [UInt8]) -> [UInt8] { [UInt8(bytes.count)] + bytes }
  private static func uint16(_ value: Int) -> [UInt8] { [UInt8(value >> 8 & 0xFF), UInt8(value & 0xFF)] }
  private static func vector16(_ bytes: [UInt8]) -> [UInt8] { uint16(bytes.count) + bytes }
  private static func `extension`(_ type: Int, _ content: [UInt8]) -> [UInt8] { uint16(type) + vector16(content) }

  private static func serverName(_ name: String) -> [UInt8] {
    `extension`(0, vector16([0] + vector16(Array(name.utf8))))
  }

  private static let usual =
    `extension`(0x2A2A, []) + serverName("a.test")
    + `extension`(16, vector16(vector8([0xFA, 0xFA]) + vector8(Array("h2".utf8)) + vector8(Array("http/1.1".utf8))))
    + `extension`(43, vector8([0x7A, 0x7A, 3, 4, 3, 3]))

  /// The handshake message; `extensions` nil leaves the block out.
  private static func message(_ extensions: [UInt8]?) -> [UInt8] {
    let body =
      [3, 3] + Array(repeating: 5, count: 32) + vector8(Array(repeating: 6, count: 32))
      + vector16([0x13, 0x01, 0xC0, 0x2B]) + vector8([0]) + (extensions.map { vector16($0) } ?? [])
    return [1, UInt8(body.count >> 16), UInt8(body.count >> 8 & 0xFF), UInt8(body.count & 0xFF)] + body
  }

  /// The message in records of at most `size` bytes.
  private static func records(_ message: [UInt8], size: Int = 16_384) -> [UInt8] {
    stride(from: 0, to: message.count, by: size).reduce(into: []) { bytes, start in
      bytes += [22, 3, 1] + vector16(Array(message[start..<min(start + size, message.count)]))
    }
  }

  private func parse(_ bytes: some Collection<UInt8>) -> ClientHello.Reading {
    Array(bytes).withUnsafeBytes { ClientHello.parse($0) }
  }

  @Test("Names, protocols and versions are read; reserved protocol names are left out")
  func reads() {
    #expect(parse(Self.records(Self.message(Self.usual))) == .hello(Self.hello))
    #expect(Self.hello.offers(.v13) && Self.hello.offers(.v12) && !Self.hello.offers(.v10))
  }

  @Test("Every proper beginning needs more")
  func beginnings() {
    let bytes = Self.records(Self.message(Self.usual))
    for count in 0..<bytes.count { #expect(parse(bytes.prefix(count)) == .needMore, "\(count) bytes") }
    #expect(parse(bytes + [0xFF, 0]) == .hello(Self.hello), "what follows does not matter")
  }

  @Test("Records may cut the hello at any byte, and the bytes may end anywhere in them")
  func cutIntoRecords() {
    let message = Self.message(Self.usual)
    for size in 1...message.count {
      let bytes = Self.records(message, size: size)
      #expect(parse(bytes) == .hello(Self.hello), "records of \(size) bytes")
      #expect(parse(bytes.dropLast()) == .needMore, "records of \(size) bytes")
    }
    for cut in 1..<message.count {
      let bytes = Self.records(Array(message[..<cut])) + Self.records(Array(message[cut...]))
      #expect(parse(bytes) == .hello(Self.hello), "cut at \(cut)")
      #expect(parse(bytes.prefix(5 + cut + 3)) == .needMore, "cut at \(cut)")
    }
  }

  @Test("A hello without extensions is one; its legacy version counts")
  func plain() {
    #expect(
      parse(Self.records(Self.message(nil))) == .hello(ClientHello(serverName: nil, alpn: [], versions: [0x0303])))
    #expect(parse(Self.records(Self.message([]))) == .hello(ClientHello(serverName: nil, alpn: [], versions: [0x0303])))
  }

  @Test("A hello may be as large as 64 KiB and cut into many records, but not too many")
  func sizes() {
    let withoutPadding = Self.message(Self.usual + Self.`extension`(21, [])).count - 4
    let room = ClientHello.maximumByteCount - withoutPadding
    let largest = Self.message(Self.usual + Self.`extension`(21, Array(repeating: 0, count: room)))
    #expect(largest.count == 4 + ClientHello.maximumByteCount)
    for size in [16_384, 1000, 17] {
      let bytes = Self.records(largest, size: size)
      #expect(parse(bytes) == .hello(Self.hello) && bytes.count <= ClientHello.maximumWireByteCount)
    }
    #expect(parse(Self.records(largest, size: 15)) == .notTLS)
    let larger = Self.message(Self.usual + Self.`extension`(21, Array(repeating: 0, count: room + 1)))
    #expect(parse(Self.records(larger)) == .notTLS)
  }

  @Test("A message that says it is larger than 64 KiB is refused at once")
  func tooLarge() {
    #expect(parse([22, 3, 1, 0, 4, 1, 0, 0xFF, 0xFF]) == .needMore)
    #expect(parse([22, 3, 1, 0, 4, 1, 1, 0, 0]) == .needMore)
    #expect(parse([22, 3, 1, 0, 4, 1, 1, 0, 1]) == .notTLS)
  }

  @Test("Other protocols and other records are told at the first bytes that differ")
  func others() {
    let cases: [[UInt8]] = [
      Array("GET / HTTP/1.1\r\n".utf8), Array("SSH-2.0".utf8), Array("PRI * HTTP/2.0".utf8), [0], [0x80, 46, 1, 3, 1],
      [22, 2], [22, 4], [22, 3, 5], [22, 3, 1, 0, 0], [22, 3, 1, 0x40, 1], [22, 3, 1, 0, 5, 2], [21, 3, 1], [23, 3, 3],
      [22, 3, 1, 0, 1, 1, 23],
    ]
    for bytes in cases { #expect(parse(bytes) == .notTLS, "\(bytes)") }
  }

  @Test("Malformed hellos are refused")
  func malformed() {
    let extensions: [[UInt8]] = [
      [0], [0, 0, 0], Self.`extension`(0, []), Self.`extension`(0, [0, 0]), Self.`extension`(0, [0, 4, 0, 0, 9, 1]),
      Self.serverName(""), Self.serverName("a b"), Self.serverName("é.test"), Self.serverName("a\0.test"),
      Self.serverName(String(repeating: "a", count: 256)), Self.`extension`(16, []), Self.`extension`(16, [0, 1, 0]),
      Self.`extension`(16, [0, 2, 2, 1]), Self.`extension`(43, []), Self.`extension`(43, [1, 3]),
      Self.`extension`(43, [2, 3, 4, 0]), Self.serverName("a.test") + [0],
    ]
    for bytes in extensions { #expect(parse(Self.records(Self.message(bytes))) == .notTLS, "\(bytes)") }
    #expect(parse(Self.records([1, 0, 0, 0])) == .notTLS)
    #expect(
      parse(Self.records(Self.message(nil) + [0])) == .hello(ClientHello(serverName: nil, alpn: [], versions: [0x0303]))
    )
  }

  @Test("Any bytes are safe, and more bytes never take a verdict back")
  func anyBytes() {
    var random = SplitMix(seed: 2026)
    let good = Self.message(Self.usual)
    for _ in 0..<20_000 {
      var bytes = Self.records(good, size: 1 + Int(random.next() % 200))
      for _ in 0..<(random.next() % 6) {
        bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
      }
      if random.next() % 4 == 0 { bytes.removeLast(Int(random.next() % UInt64(bytes.count))) }
      let whole = parse(bytes)
      let part = parse(bytes.prefix(Int(random.next() % UInt64(bytes.count + 1))))
      #expect(part == .needMore || part == whole)
    }
    for _ in 0..<20_000 {
      _ = parse((0..<Int(random.next() % 80)).map { _ in UInt8(truncatingIfNeeded: random.next()) })
    }
  }
}
