import Bytes
import COpenSSL
import Names
import Synchronization
import Testing

@testable import TLS

@Suite("Resumption") struct ResumptionTests {
  private func ticket(
    _ version: TLSVersion, from context: TLSServerContext, scope: [UInt8] = [1], closing: Bool = true
  ) throws -> TLSTicket {
    let judge = RecordingJudge()
    try {
      let wire = try Wire(parameters: .only(version), judge: judge, server: context, scope: scope)
      try wire.shake()
      try wire.server.sealText("hello")
      try wire.settle()
      if closing { wire.client.close() }
    }()
    return try #require(judge.tickets.first)
  }

  @Test("A returning client resumes; the judge is not asked, what was stored beside the ticket is there")
  func resumes() throws {
    for version in [TLSVersion.v12, .v13] {
      for closing in [true, false] {
        let context = try TLSServerContext()
        let ticket = try ticket(version, from: context, closing: closing)
        #expect(ticket.version == version && ticket.isSingleUse == (version == .v13))
        #expect(ticket.memo as? String == "ticket 0")
        #expect(ticket.expires > 1_700_000_000)
        let wire = try Wire(
          parameters: .only(version), offers: ["h2"], ticket: ticket, server: context, accepts: ["h2"])
        try wire.shake()
        #expect(wire.client.negotiated?.resumed == true && wire.server.negotiated?.resumed == true, "\(version)")
        #expect(wire.client.negotiated?.alpn == "h2")
        #expect(wire.judge.peers.isEmpty)
        try wire.server.sealText("hello")
        try wire.settle()
        #expect(wire.atClient.text == "hello")
        if version == .v13 { #expect(wire.judge.tickets.count == 1, "one new ticket") }
      }
    }
  }

  @Test("A ticket of TLS 1.3 works once, one of TLS 1.2 again")
  func uses() throws {
    for version in [TLSVersion.v12, .v13] {
      let context = try TLSServerContext()
      let ticket = try ticket(version, from: context)
      let resumed = try (0..<2).map { _ in
        let wire = try Wire(parameters: .only(version), ticket: ticket, server: context)
        try wire.shake()
        return wire.client.negotiated?.resumed
      }
      #expect(resumed == [true, version == .v12])
    }
  }

  @Test("A ticket is no good for another target or another context", arguments: [TLSVersion.v12, .v13])
  func scopes(_ version: TLSVersion) throws {
    let context = try TLSServerContext()
    let elsewhere = try Wire(
      parameters: .only(version), ticket: ticket(version, from: context), server: context, scope: [2])
    try elsewhere.shake()
    #expect(elsewhere.client.negotiated?.resumed == false && elsewhere.judge.peers.count == 1)
    let renewed = try Wire(
      parameters: .only(version), ticket: ticket(version, from: context), server: TLSServerContext())
    try renewed.shake()
    #expect(renewed.client.negotiated?.resumed == false && renewed.judge.peers.count == 1)
  }

  @Test(
    "Ticket keys change; those before open their tickets until these have expired", arguments: [TLSVersion.v12, .v13])
  func keysTurn(_ version: TLSVersion) throws {
    let clock = Mutex<Int64>(1_000)
    let context = try TLSServerContext(ticketKeys: TicketKeys { clock.withLock { $0 } })
    func resumes(_ ticket: TLSTicket, at time: Int64) throws -> (Bool?, renewed: TLSTicket?) {
      clock.withLock { $0 = time }
      let wire = try Wire(parameters: .only(version), ticket: ticket, server: context)
      try wire.shake()
      try wire.server.sealText("hello")
      try wire.settle()
      return (wire.client.negotiated?.resumed, wire.judge.tickets.first)
    }
    let first = try ticket(version, from: context)
    let spare = try ticket(version, from: context)
    let (resumed, renewed) = try resumes(first, at: 1_000 + 3 * TicketKeys.term - 1)
    #expect(resumed == true)
    #expect(try resumes(spare, at: 1_000 + 3 * TicketKeys.term).0 == false)
    // A client of TLS 1.2 does not tell its owner of a ticket that came with a resumed session.
    guard version == .v13 else { return }
    let later = try #require(renewed, "a ticket of a former key is replaced")
    #expect(try resumes(later, at: 1_000 + 3 * TicketKeys.term).0 == true)
  }

  @Test("One key serves for an hour, and a clock that was set back makes a new one")
  func terms() {
    let clock = Mutex<Int64>(10_000)
    let keys = TicketKeys { clock.withLock { $0 } }
    func name(at time: Int64) -> [UInt8] {
      clock.withLock { $0 = time }
      return keys.sealing().name
    }
    let first = name(at: 10_000)
    #expect(name(at: 13_599) == first)
    let second = name(at: 13_600)
    #expect(second != first && name(at: 13_601) == second)
    #expect(name(at: 13_599) != second)
    clock.withLock { $0 = 13_700 }
    first.withUnsafeBytes { name in
      guard case .former = keys.opening(name) else {
        Issue.record("the first key is of no use before its time")
        return
      }
    }
    clock.withLock { $0 = 20_800 }
    #expect(first.withUnsafeBytes { keys.opening($0) } == nil)
  }

  @Test("A session with an offered version outside of the ticket's is a full one")
  func otherVersion() throws {
    let context = try TLSServerContext()
    let wire = try Wire(parameters: .only(.v13), ticket: ticket(.v12, from: context), server: context)
    try wire.shake()
    #expect(wire.client.negotiated?.resumed == false)
  }
}
