import Bytes
import COpenSSL
import Names
import Testing

@testable import TLS

@Suite("Failures") struct FailureTests {
  private func feed(_ bytes: [UInt8], to session: TLSSession) throws(TLSFailure) {
    let queue = ByteQueue()
    queue.append(bytes)
    while !queue.isEmpty {
      let used = try session.advance(queue.bytes).used
      guard used > 0 else { return }
      queue.consume(used)
    }
  }

  @Test("A peer that does not speak TLS is told apart")
  func notTLS() throws {
    let answers = [
      "HTTP/1.1 400 Bad Request\r\n\r\n", "SSH-2.0-OpenSSH\r\n", "220 mail.test ESMTP ready\r\n", "\u{16}HTTP/1.1 200",
    ]
    for answer in answers {
      let wire = try Wire()
      _ = try wire.client.advance(UnsafeRawBufferPointer(start: nil, count: 0))
      let failure = #expect(throws: TLSFailure.self) { try feed(Array(answer.utf8), to: wire.client) }
      #expect(failure == .notTLS, "\(answer)")
    }
    for request in ["GET / HTTP/1.1\r\n\r\n", "CONNECT a.test:443 HTTP/1.1\r\n\r\n", "PUT / HTTP/1.1\r\n"] {
      let wire = try Wire()
      let failure = #expect(throws: TLSFailure.self) { try feed(Array(request.utf8), to: wire.server) }
      #expect(failure == .notTLS, "\(request)")
    }
  }

  @Test("Both ends tell that there is no common version")
  func versions() throws {
    var parameters = TLSClientParameters.only(.v11)
    parameters.cipherSuites = ["ECDHE-RSA-AES128-SHA"]
    var wire = try Wire(parameters: parameters)
    #expect(wire.failure() == .versionMismatch && wire.server.inputEnded() == .versionMismatch)
    #expect(throws: TLSFailure.alert(TLSAlert.protocolVersion)) { try wire.client.advance(wire.toClient.bytes) }
    #expect(wire.client.stage == .hello)
    // A server that answers with a version that was not offered.
    wire = try Wire(parameters: .only(.v12))
    _ = try wire.client.advance(UnsafeRawBufferPointer(start: nil, count: 0))
    let hello: [UInt8] = [2, 0, 0, 38, 3, 1] + Array(repeating: 7, count: 32) + [0, 0xC0, 0x13, 0]
    #expect(throws: TLSFailure.versionMismatch) {
      try feed([22, 3, 1, 0, UInt8(hello.count)] + hello, to: wire.client)
    }
  }

  @Test("No common suite is told apart, and the client hears handshake_failure before any certificate")
  func suites() throws {
    var parameters = TLSClientParameters.only(.v12)
    parameters.cipherSuites = ["AES128-SHA"]
    let wire = try Wire(parameters: parameters)
    #expect(wire.failure() == .noSharedCipher && wire.server.inputEnded() == .noSharedCipher)
    #expect(throws: TLSFailure.alert(TLSAlert.handshakeFailure)) { try wire.client.advance(wire.toClient.bytes) }
    #expect(wire.client.stage == .hello)
  }

  @Test("A device that refuses the leaf: its alert, after the certificate", arguments: [TLSVersion.v12, .v13])
  func refusedLeaf(_ version: TLSVersion) throws {
    let wire = try Wire(parameters: .only(version), judge: RecordingJudge(accepts: false))
    #expect(throws: TLSFailure.refusedByJudge) { try wire.shake() }
    let failure = #expect(throws: TLSFailure.self) { try wire.server.advance(wire.toServer.bytes) }
    #expect(failure == .alert(TLSAlert.badCertificate))
    #expect(wire.server.stage >= .certificate && wire.server.stage < .established)
    #expect(TLSAlert.concernsCertificate(42) && TLSAlert.concernsCertificate(48) && !TLSAlert.concernsCertificate(40))
  }

  @Test("A judge that is gone refuses")
  func goneJudge() throws {
    let queue = ByteQueue()
    let client = try TLSClientContext(.modern).makeSession(
      serverName: .init("a.test"), alpn: [], judge: RecordingJudge(), identities: [], ticket: nil, outbound: queue)
    let answers = ByteQueue()
    let server = try TLSServerContext().makeSession(
      leaf: Credentials.identity("server-ec"), alpn: [], resumptionScope: [], outbound: answers)
    _ = try client.advance(UnsafeRawBufferPointer(start: nil, count: 0))
    _ = try server.advance(queue.bytes)
    #expect(throws: TLSFailure.refusedByJudge) { try client.advance(answers.bytes) }
  }

  @Test("An alert record in clear text is understood")
  func clearAlert() throws {
    let wire = try Wire()
    _ = try wire.client.advance(UnsafeRawBufferPointer(start: nil, count: 0))
    #expect(throws: TLSFailure.alert(TLSAlert.unrecognizedName)) {
      try feed(TLSAlert.record(TLSAlert.unrecognizedName), to: wire.client)
    }
    #expect(TLSFailure.alert(112).description == "the peer sent the alert unrecognized_name (112)")
  }

  @Test("Garbage in the middle of a handshake or of data fails cleanly, and for good")
  func garbage() throws {
    var random = SplitMix(seed: 7)
    for round in 0..<300 {
      let wire = try Wire(parameters: .only(round % 2 == 0 ? .v12 : .v13))
      let isLate = round % 3 == 0
      if isLate { try wire.shake() } else { _ = try wire.client.advance(UnsafeRawBufferPointer(start: nil, count: 0)) }
      if isLate {
        try wire.client.sealText(String(repeating: "x", count: 100))
      }
      guard wire.toServer.count > 0 else { continue }
      var bytes = Array(wire.toServer.bytes)
      for _ in 0...Int(random.next() % 4) {
        bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
      }
      let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
      do {
        if isLate {
          _ = try bytes.withUnsafeBytes { try wire.server.open($0, into: wire.atServer, limit: .max) }
        } else {
          try feed(bytes, to: wire.server)
        }
      } catch {
        let failure = try #require(error as? TLSFailure)
        #expect(throws: failure) { try wire.server.advance(nothing) }
        #expect(throws: failure) { try wire.server.seal(nothing) }
        #expect(wire.server.inputEnded() == failure)
      }
    }
  }
}
