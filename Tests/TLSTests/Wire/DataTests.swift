import Bytes
import COpenSSL
import Names
import Testing

@testable import TLS

@Suite("Data on a session") struct DataTests {
  private let nothing = UnsafeRawBufferPointer(start: nil, count: 0)

  @Test("Large pieces become several records and come out whole", arguments: [TLSVersion.v12, .v13])
  func large(_ version: TLSVersion) throws {
    let wire = try Wire(parameters: .only(version))
    try wire.shake()
    var random = SplitMix(seed: 3)
    let bytes = (0..<200_000).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    #expect(try bytes.withUnsafeBytes { try wire.server.seal($0) } == bytes.count)
    wire.chunk = 5000
    try wire.settle()
    #expect(Array(wire.atClient.bytes) == bytes)
  }

  @Test("A limit stops inside a record; the rest is reported as unused or waits inside")
  func limits() throws {
    let wire = try Wire()
    try wire.shake()
    try wire.settle()
    let text = Array(repeating: UInt8(ascii: "x"), count: 40_000)
    _ = try text.withUnsafeBytes { try wire.server.seal($0) }
    var calls = 0
    while wire.atClient.count < text.count {
      let before = wire.atClient.count
      let lent = wire.toClient.bytes
      let (used, ended) = try wire.client.open(lent, into: wire.atClient, limit: 7000)
      #expect(wire.atClient.count - before == min(7000, text.count - before))
      #expect(!ended && used <= lent.count)
      if wire.atClient.count == 7000 { #expect(wire.client.hasPendingPlaintext && used < lent.count) }
      wire.toClient.consume(used)
      calls += 1
    }
    #expect(calls == 6 && wire.toClient.isEmpty && !wire.client.hasPendingPlaintext)
  }

  @Test("Pending plaintext comes without ciphertext")
  func pending() throws {
    let wire = try Wire()
    try wire.shake()
    try wire.settle()
    try wire.server.sealText("0123456789")
    wire.toClient.consume(try wire.client.open(wire.toClient.bytes, into: wire.atClient, limit: 4).used)
    #expect(wire.toClient.isEmpty && wire.client.hasPendingPlaintext)
    #expect(try wire.client.open(nothing, into: wire.atClient, limit: 100) == (0, false))
    #expect(wire.atClient.text == "0123456789")
  }

  @Test("A close_notify ends one direction only", arguments: [TLSVersion.v12, .v13])
  func closes(_ version: TLSVersion) throws {
    let wire = try Wire(parameters: .only(version))
    try wire.shake()
    try wire.settle()
    try wire.server.sealText("bye")
    wire.server.close()
    wire.server.close()
    #expect(wire.client.inputEnded() == .truncated)
    let (used, ended) = try wire.client.open(wire.toClient.bytes, into: wire.atClient, limit: .max)
    #expect(used == wire.toClient.count && ended && wire.atClient.text == "bye")
    #expect(wire.client.inputEnded() == nil)
    #expect(try wire.client.open(nothing, into: wire.atClient, limit: 1) == (0, true))
    try wire.client.sealText("still here")
    wire.client.close()
    let last = try wire.server.open(wire.toServer.bytes, into: wire.atServer, limit: .max)
    #expect(last.ended && wire.atServer.text == "still here")
  }

  @Test("What was opened before a failure is kept")
  func keptBeforeFailure() throws {
    let wire = try Wire()
    try wire.shake()
    try wire.settle()
    try wire.server.sealText("good")
    wire.toClient.append([23, 3, 3, 0, 32])
    wire.toClient.append(Array(repeating: 9, count: 32))
    #expect(throws: TLSFailure.self) { try wire.client.open(wire.toClient.bytes, into: wire.atClient, limit: .max) }
    #expect(wire.atClient.text == "good")
    #expect(!wire.toServer.isEmpty, "an alert for the peer")
  }

  @Test("Before the handshake nothing is opened or sealed")
  func early() throws {
    let wire = try Wire()
    try wire.client.sealText("too early")
    #expect(wire.toServer.isEmpty)
    #expect(try wire.client.open(nothing, into: wire.atClient, limit: 10) == (0, false))
    wire.client.close()
    #expect(wire.toServer.isEmpty)
  }
}
