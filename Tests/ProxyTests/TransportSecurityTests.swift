import COpenSSL
import Testing

/// App Transport Security between the proxy and real handshakes: what is offered, what passes, and how a failure is named.
@Suite struct TransportSecurityTests {
  private static func exception(_ member: String) -> String {
    "{ NSExceptionDomains: { 'a.test': { \(member) } } }"
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let origin: OriginHandshake
    let dictionary: String
    let os: String
    /// The violation and Apple's code; nil: the request passes.
    let violation: (name: String, code: Int)?

    init(
      _ origin: OriginHandshake, under dictionary: String = "{}", os: String = "18.4", _ violation: (String, Int)? = nil
    ) {
      self.origin = origin
      self.dictionary = dictionary
      self.os = os
      self.violation = violation.map { (name: $0.0, code: $0.1) }
    }

    var testDescription: String { "\(origin.testDescription) \(dictionary) \(os)" }
  }

  private static let tls11 = OriginHandshake(
    minimum: TLS1_1_VERSION, maximum: TLS1_1_VERSION, suites: "ECDHE-ECDSA-AES128-SHA")
  private static let tls10 = OriginHandshake(
    minimum: TLS1_VERSION, maximum: TLS1_VERSION, suites: "ECDHE-ECDSA-AES128-SHA")
  private static let rsaExchange = OriginHandshake(key: .rsa, suites: "AES128-GCM-SHA256")
  private static let dhe = OriginHandshake(key: .rsa, suites: "DHE-RSA-AES256-GCM-SHA384")
  private static let chacha = OriginHandshake(suites: "ECDHE-ECDSA-CHACHA20-POLY1305")
  private static let cbc = OriginHandshake(suites: "ECDHE-ECDSA-AES256-SHA384")
  private static let noEMS = OriginHandshake(hasExtendedMasterSecret: false)
  private static let tls13 = OriginHandshake(minimum: TLS1_3_VERSION, maximum: TLS1_3_VERSION)
  private static let noSecrecy = exception("NSExceptionRequiresForwardSecrecy: false")
  private static let niap = "{ NSRequiresNIAPTLSPackageVersion: 'recommended' }"

  @Test(arguments: [
    Case(OriginHandshake()), Case(tls13), Case(tls11, ("minimum-tls", -9881)), Case(tls10, ("minimum-tls", -9881)),
    Case(tls11, under: exception("NSExceptionMinimumTLSVersion: 'TLSv1.1'")),
    Case(tls10, under: exception("NSExceptionMinimumTLSVersion: 'TLSv1.1'"), ("minimum-tls", -9881)),
    Case(tls10, under: exception("NSExceptionMinimumTLSVersion: 'TLSv1.0'")),
    Case(tls11, under: exception("NSExceptionMinimumTLSVersion: 'TLSv1.1'"), os: "26", ("minimum-tls", -9881)),
    Case(tls11, under: noSecrecy, ("minimum-tls", -9881)),
    Case(tls11, under: "{ NSAllowsArbitraryLoads: true }"),
    Case(OriginHandshake(), under: exception("NSExceptionMinimumTLSVersion: 'TLSv1.3'"), ("minimum-tls", -9881)),
    Case(tls13, os: "12.1", ("minimum-tls", -9881)), Case(tls13, os: "12.2"),
    Case(rsaExchange, ("forward-secrecy", -9882)), Case(rsaExchange, under: noSecrecy),
    Case(rsaExchange, under: "{ NSAllowsArbitraryLoads: true }"),
    Case(rsaExchange, under: exception("NSExceptionMinimumTLSVersion: 'TLSv1.0'"), ("forward-secrecy", -9882)),
    Case(rsaExchange, under: exception("NSExceptionAllowsInsecureHTTPLoads: true"), ("forward-secrecy", -9882)),
    Case(dhe, ("cipher-suite", -9882)), Case(dhe, under: noSecrecy, ("cipher-suite", -9882)),
    Case(chacha, os: "12.2", ("cipher-suite", -9882)), Case(chacha, os: "13"), Case(cbc, os: "14.8"),
    Case(cbc, os: "15", ("cipher-suite", -9882)), Case(noEMS), Case(noEMS, under: niap, os: "26.3"),
    Case(noEMS, under: niap, os: "26.4", ("extended-master-secret", -9880)),
    Case(OriginHandshake(), under: niap, os: "26.4"),
    Case(tls13, under: niap, os: "26.4"),
    Case(OriginHandshake(suites: "ECDHE-ECDSA-AES128-SHA"), under: niap, os: "26.4", ("cipher-suite", -9882)),
    Case(
      noEMS, under: exception("NSExceptionRequiresNIAPTLSPackageVersion: 'FCP_v2.1'"), os: "26.4",
      ("extended-master-secret", -9880)),
  ])
  func `origins pass or are refused with the very reason`(_ item: Case) async throws {
    let origin = try Origin.speaking(item.origin)
    let more = "ats: { dictionary: \(item.dictionary), os: '\(item.os)' }"
    try await TestProxy.run(["a.test:443": origin], more: more) { proxy in
      let client = try await proxy.secured()
      guard let violation = item.violation else {
        try await exchange(client, try await origin.accept())
        let record = try await proxy.record()
        #expect(record["ats.verdict"] == "pass" && record["ats.os"] == item.os, "\(record)")
        return
      }
      await client.get()
      let playing = Task { await origin.playHandshakes() }
      let response = try await client.response()
      playing.cancel()
      #expect(
        response.status == 502 && response.text.contains("Secure Transport \(violation.code) errSSLATS"),
        "\(response.text)")
      let record = try await proxy.record()
      #expect(record["error.code"] == "-1200" && record["decision.decidedBy"] == "ats", "\(record)")
      #expect(
        record["ats.verdict"] == "fail" && record.description.contains("\"violations\":[\"\(violation.name)\"]"),
        "\(record)")
    }
  }

  @Test func `only permitted suites are offered to an origin that has a choice`() async throws {
    let origin = try Origin.speaking(
      OriginHandshake(key: .rsa, suites: "AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256", choosesSuite: true))
    try await TestProxy.run(["a.test:443": origin]) { proxy in
      let client = try await proxy.secured()
      try await exchange(client, try await origin.accept())
      #expect(try await proxy.record()["origin.tls.cipher"] == "ECDHE-RSA-AES128-GCM-SHA256")
    }
  }

  @Test func `what a probe found is not asked again`() async throws {
    let origin = try Origin.speaking(Self.dhe)
    try await TestProxy.run(["a.test:443": origin]) { proxy in
      let client = try await proxy.secured()
      let playing = Task { await origin.playHandshakes() }
      defer { playing.cancel() }
      for count in [2, 3] {
        await client.get()
        #expect(try await client.response().text.contains("DHE-RSA-AES256-GCM-SHA384"))
        #expect(origin.connectionCount == count)
      }
    }
  }

  @Test func `an origin that shows nothing to a probe keeps the reason of its own handshake`() async throws {
    let origin = try Origin.speaking(Self.rsaExchange)
    try await TestProxy.run(["a.test:443": origin]) { proxy in
      let client = try await proxy.secured()
      await client.get()
      try await origin.shake()
      let probe = try await origin.accept(securing: false)
      await probe.reset()
      let response = try await client.response()
      #expect(response.status == 502 && response.text.contains("-9882"))
      #expect(try await proxy.record().description.contains("\"violations\":[\"forward-secrecy\"]"))
    }
  }
}
