import Names
import TLS
import Testing

@testable import Proxy

@Suite struct PinningTableTests {
  private static let minute: UInt64 = 60 * 1_000_000_000
  private let phone = IPAddress.v4(0xC0A8_0114)
  private let alert = CertificateRejection.alert(TLSAlert.badCertificate)

  private func host(_ text: String) throws -> Host { try Host(text) }

  /// Refuses so often, a minute apart, and returns what the last one said.
  private func refuse(
    _ table: inout PinningTable, _ name: String, times: Int = PinningTable.threshold, from start: UInt64 = 1,
    _ rejection: CertificateRejection? = nil
  ) throws -> PinningSuspicion? {
    var said: PinningSuspicion?
    for index in 0..<times {
      said = table.refused(
        rejection ?? alert, by: phone, for: try host(name), at: (start + UInt64(index)) * Self.minute)
    }
    return said
  }

  @Test func `three refusals within ten minutes`() throws {
    var table = PinningTable()
    #expect(try refuse(&table, "a.test", times: 2) == nil)
    #expect(try refuse(&table, "a.test", times: 1, from: 5) == .unclear)
    #expect(table.suspicion(of: phone, for: try host("a.test"), at: 6 * Self.minute) == .unclear)
    #expect(table.suspicion(of: phone, for: try host("b.test"), at: 6 * Self.minute) == nil)
    #expect(table.suspicion(of: .v4(1), for: try host("a.test"), at: 6 * Self.minute) == nil)
    #expect(table.suspicion(of: phone, for: try host("a.test"), at: 66 * Self.minute) == nil, "for an hour")
  }

  @Test func `refusals far apart`() throws {
    var table = PinningTable()
    for start in [UInt64(1), 12, 23, 34] { #expect(try refuse(&table, "a.test", times: 1, from: start) == nil) }
  }

  @Test func `a clock that is a little behind counts all the same`() throws {
    var table = PinningTable()
    for moment in [UInt64(9_000), 8_000, 7_000] {
      _ = table.refused(alert, by: phone, for: try host("a.test"), at: moment)
    }
    #expect(table.suspicion(of: phone, for: try host("a.test"), at: 100) == .unclear)
  }

  @Test func `other hosts that work tell pinning from an authority that is not trusted`() throws {
    var table = PinningTable()
    #expect(try refuse(&table, "a.test") == .unclear)
    _ = table.refused(alert, by: phone, for: try host("b.test"), at: 5 * Self.minute)
    #expect(table.suspicion(of: phone, for: try host("a.test"), at: 6 * Self.minute) == .untrustedAuthority)
    table.accepted(by: phone, for: try host("c.test"), at: 7 * Self.minute)
    #expect(table.suspicion(of: phone, for: try host("a.test"), at: 8 * Self.minute) == .pinned)
  }

  @Test func `unknown_ca says that the authority is not known, unless another host works`() throws {
    var table = PinningTable()
    #expect(try refuse(&table, "a.test", .alert(TLSAlert.unknownCA)) == .untrustedAuthority)
    table.accepted(by: phone, for: try host("b.test"), at: 4 * Self.minute)
    #expect(table.suspicion(of: phone, for: try host("a.test"), at: 4 * Self.minute) == .pinned)
  }

  @Test func `a connection that works refutes what was not said of the certificate`() throws {
    for rejection in [CertificateRejection.unused, .inHandshake] {
      var table = PinningTable()
      _ = try refuse(&table, "a.test", times: 2, rejection)
      table.accepted(by: phone, for: try host("a.test"), at: 3 * Self.minute)
      #expect(try refuse(&table, "a.test", times: 1, from: 4, rejection) == nil)
    }
    var table = PinningTable()
    _ = try refuse(&table, "a.test", times: 2)
    table.accepted(by: phone, for: try host("a.test"), at: 3 * Self.minute)
    #expect(try refuse(&table, "a.test", times: 1, from: 4) == .pinned, "one app works, another pins")
  }

  @Test func `many hosts and many clients do not make it grow`() throws {
    var table = PinningTable()
    for index in 0..<(PinningTable.pairLimit + 50) {
      _ = table.refused(alert, by: .v4(UInt32(index)), for: try host("h\(index).test"), at: UInt64(index))
    }
    #expect(table.pairCount == PinningTable.pairLimit && table.clientCount == PinningTable.clientLimit)
    for index in 0..<(PinningTable.clientLimit + 50) {
      table.accepted(by: .v4(0xFFFF_0000 + UInt32(index)), for: try host("a.test"), at: 1_000_000)
    }
    #expect(table.clientCount == PinningTable.clientLimit)
    let late = 10 * PinningTable.term
    _ = table.refused(alert, by: phone, for: try host("new.test"), at: late)
    #expect(table.pairCount == 1, "what is old goes first")
  }

  @Test func `what a failed handshake says`() {
    #expect(CertificateRejection(.tls(.alert(46)), at: .hello) == .alert(46))
    #expect(CertificateRejection(.tls(.alert(40)), at: .finished) == nil)
    #expect(CertificateRejection(.tls(.truncated), at: .finished) == .inHandshake)
    #expect(CertificateRejection(.tls(.truncated), at: .hello) == nil, "no certificate was shown yet")
    #expect(CertificateRejection(.tls(.notTLS), at: .certificate) == nil)
  }
}
