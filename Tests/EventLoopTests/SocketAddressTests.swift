import Testing

@testable import EventLoop

@Suite("SocketAddress")
struct SocketAddressTests {
  @Test(
    "reads what it writes",
    arguments: ["127.0.0.1:8080", "[::1]:0", "[2001:db8::1]:65535", "unix:/run/p.sock", "unix:@abstract", "0.0.0.0:1"])
  func roundTrip(text: String) throws {
    let address = try #require(SocketAddress.parse(text))
    #expect(address.description == text)
    let again = try address.withKernelAddress(for: "test") { pointer, length in
      SocketAddress(kernel: UnsafeRawBufferPointer(start: pointer, count: Int(length)), length: Int(length))
    }
    #expect(again == address)
  }

  @Test(
    "refuses what is no address",
    arguments: [
      "", ":", "localhost:80", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:+1", "127.1:80", "::1:80",
      "[::1]", "[::1]80", "[127.0.0.1]:80", "unix:", "[::1%]:80", "1.2.3.4\0:80", "[::1:80", "0x7f.0.0.1:80",
    ])
  func refuses(text: String) {
    #expect(SocketAddress.parse(text) == nil)
  }

  @Test("bytes are in network order, and mapped IPv4 is IPv4")
  func bytes() throws {
    let v4 = try #require(SocketAddress(ip: [1, 2, 3, 4], port: 80))
    #expect(v4.description == "1.2.3.4:80")
    #expect(v4.ipBytes == [1, 2, 3, 4])
    let mapped = try #require(SocketAddress(ip: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 1, 2, 3, 4], port: 80))
    #expect(mapped == v4)
    let v6 = try #require(SocketAddress(ip: Array(0..<16), port: 1))
    #expect(v6.ipBytes == Array(0..<16))
    #expect(v6.ipText == "1:203:405:607:809:a0b:c0d:e0f")
    #expect(v6.with(port: 9).port == 9)
    #expect(SocketAddress(ip: [1, 2, 3], port: 80) == nil)
    #expect(SocketAddress(unixPath: "/x").ipBytes == nil)
  }

  @Test("the interfaces of this machine have the loopback address at least")
  func interfaces() throws {
    let found = try SocketAddress.ofThisMachine()
    #expect(found.contains { $0.ipBytes == [127, 0, 0, 1] && $0.port == 0 })
  }

  @Test("a Unix path that the kernel cannot take is an error, not a shorter path")
  func longPath() {
    let address = SocketAddress(unixPath: "/" + String(repeating: "x", count: 200))
    #expect(throws: SystemError.self) { try Listener(address: address) }
  }
}
