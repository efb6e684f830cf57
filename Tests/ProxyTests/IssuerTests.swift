import COpenSSL
import Foundation
import Testing

@testable import TLS

/// Chains without their intermediates, and the anchors of trust policies.
@Suite struct IssuerTests {
  private static let fetching =
    "trust: { t: { fetchIntermediates: true } }, rules: { hosts: [{ host: 'a.test', trust: 't' }] }"
  private static let location: [(Int32, String)] = [(NID_info_access, "caIssuers;URI:http://ca.test/ca.cer")]

  /// What the client gets from an origin that takes part if its handshake succeeds.
  private func finish(_ client: Peer, _ proxy: TestProxy, _ origin: Origin, fields: String = "") async throws -> (
    Message, Record
  ) {
    let server = try await origin.accept(securing: false)
    if try await origin.secure(server) == nil {
      _ = try await server.request()
      await server.answer(fields: fields)
    }
    return (try await client.response(), try await proxy.record())
  }

  private func ask(_ proxy: TestProxy, _ origin: Origin) async throws -> (Message, Record) {
    let client = try await proxy.secured()
    await client.get()
    return try await finish(client, proxy, origin)
  }

  /// A request whose first handshake is refused.
  private func askInVain(_ proxy: TestProxy, _ origin: Origin) async throws -> Peer {
    let client = try await proxy.secured()
    await client.get()
    let server = try await origin.accept(securing: false)
    #expect(try await origin.secure(server) == .tls(.alert(42)))
    return client
  }

  @discardableResult
  private func serve(_ content: [UInt8], from issuers: Origin, status: String = "200 OK") async throws -> Message {
    let peer = try await issuers.accept(securing: false)
    let request = try await peer.request()
    await peer.send("HTTP/1.1 \(status)\r\nContent-Length: \(content.count)\r\n\r\n")
    await peer.send(content)
    return request
  }

  /// An origin that gives no tickets, so that each of its connections is judged.
  private func origin(_ identity: Identity) throws -> Origin {
    try Origin(identity) { context in
      SSL_CTX_set_num_tickets(context.pointer, 0)
    }
  }

  // MARK: fetching

  @Test(arguments: ["der", "pem", "pkcs7"]) func `a missing intermediate is fetched once`(_ form: String) async throws {
    let intermediate = try PKI.authority("Fetched \(form)", by: PKI.origins.get())
    let origin = try origin(PKI.server("a.test", by: intermediate, extensions: Self.location))
    let issuers = try Origin.plain()
    let content = try intermediate.certificate.published(form)
    try await TestProxy.run(["a.test:443": origin, "ca.test:80": issuers], more: Self.fetching) { proxy in
      let client = try await askInVain(proxy, origin)
      let request = try await serve(content, from: issuers)
      #expect(request.startLine == "GET /ca.cer HTTP/1.1" && request["Host"] == "ca.test")
      let (response, record) = try await finish(client, proxy, origin, fields: "Connection: close\r\n")
      #expect(response.status == 200 && record["error.code"] == nil, "\(record)")
      let (again, other) = try await ask(proxy, origin)
      #expect(again.status == 200 && !other.flag("origin.tls.resumed"))
      #expect(issuers.connectionCount == 1 && origin.connectionCount == 3)
    }
  }

  @Test func `so is the one above it`() async throws {
    let upper = try PKI.authority("Upper", by: PKI.origins.get())
    let lower = try PKI.authority(
      "Lower", by: upper, extensions: [(NID_info_access, "caIssuers;URI:http://ca.test/upper")])
    let origin = try origin(PKI.server("a.test", by: lower, extensions: Self.location))
    let issuers = try Origin.plain()
    try await TestProxy.run(["a.test:443": origin, "ca.test:80": issuers], more: Self.fetching) { proxy in
      let client = try await askInVain(proxy, origin)
      try await serve(lower.certificate.der, from: issuers)
      #expect(try await serve(upper.certificate.der, from: issuers).startLine == "GET /upper HTTP/1.1")
      let (response, _) = try await finish(client, proxy, origin)
      #expect(response.status == 200)
      #expect(origin.connectionCount == 2, "dialled again only when the path is good")
    }
  }

  @Test func `an issuer that cannot be had is told, and not asked for again at once`() async throws {
    let intermediate = try PKI.authority("Absent", by: PKI.origins.get())
    let origin = try origin(PKI.server("a.test", by: intermediate, extensions: Self.location))
    let issuers = try Origin.plain()
    try await TestProxy.run(["a.test:443": origin, "ca.test:80": issuers], more: Self.fetching) { proxy in
      let client = try await askInVain(proxy, origin)
      try await serve([], from: issuers, status: "404 Not Found")
      #expect(try await client.response().status == 502)
      let record = try await proxy.record()
      #expect(record["error.code"] == "-1203" && record["decision.decidedBy"] == "trust")
      #expect(
        record["error.detail"]?.contains(
          "could not be fetched from http://ca.test/ca.cer: the answer has the status 404") == true,
        "\(record)")
      let (again, other) = try await ask(proxy, origin)
      #expect(again.status == 502 && other["error.detail"]?.contains("the status 404") == true)
      #expect(issuers.connectionCount == 1 && origin.connectionCount == 2)
    }
  }

  @Test(arguments: [
    ([UInt8]("no certificate".utf8), "holds no certificate"), ([], "holds no certificate"),
    ([UInt8](repeating: 0x30, count: 70_000), "larger than 64 KiB"),
  ]) func `an answer that is of no use is told`(_ content: [UInt8], _ words: String) async throws {
    let intermediate = try PKI.authority("Absent", by: PKI.origins.get())
    let origin = try origin(PKI.server("a.test", by: intermediate, extensions: Self.location))
    let issuers = try Origin.plain()
    try await TestProxy.run(["a.test:443": origin, "ca.test:80": issuers], more: Self.fetching) { proxy in
      let client = try await askInVain(proxy, origin)
      try await serve(content, from: issuers)
      #expect(try await client.response().status == 502)
      let record = try await proxy.record()
      #expect(record["error.detail"]?.contains(words) == true, "\(record)")
    }
  }

  @Test func `a certificate of somebody else does not help`() async throws {
    let intermediate = try PKI.authority("Absent", by: PKI.origins.get())
    let origin = try origin(PKI.server("a.test", by: intermediate, extensions: Self.location))
    let issuers = try Origin.plain()
    try await TestProxy.run(["a.test:443": origin, "ca.test:80": issuers], more: Self.fetching) { proxy in
      let client = try await askInVain(proxy, origin)
      try await serve(try PKI.stranger.get().certificate.der, from: issuers)
      #expect(try await client.response().status == 502)
      #expect(try await proxy.record()["error.code"] == "-1203")
      #expect(origin.connectionCount == 1)
    }
  }

  @Test func `nothing is fetched unless a policy says so`() async throws {
    let intermediate = try PKI.authority("Absent", by: PKI.origins.get())
    let origin = try origin(PKI.server("a.test", by: intermediate, extensions: Self.location))
    let issuers = try Origin.plain()
    try await TestProxy.run(["a.test:443": origin, "ca.test:80": issuers]) { proxy in
      let (response, _) = try await ask(proxy, origin)
      #expect(response.status == 502)
      #expect(issuers.connectionCount == 0)
    }
  }

  @Test(arguments: [
    ("caIssuers;URI:http://127.0.0.1:PORT/ca", "its address is closed to the client"),
    ("caIssuers;URI:http://no.invalid/ca", "its host is not found"),
  ]) func `a client behind the target guard cannot reach this machine by it`(_ location: String, _ words: String)
    async throws
  {
    let issuers = try Origin.plain()
    let port = issuers.address.split(separator: ":").last.map(String.init) ?? ""
    let value = location.replacingOccurrences(of: "PORT", with: port)
    let intermediate = try PKI.authority("Absent", by: PKI.origins.get())
    let origin = try origin(PKI.server("a.test", by: intermediate, extensions: [(NID_info_access, value)]))
    try await TestProxy.run(
      ["a.test:443": origin], listeners: "[{ address: '127.0.0.1:0', proxyProtocol: ['127.0.0.0/8'] }]",
      more: Self.fetching + ", access: { clients: ['192.0.2.0/24'] }"
    ) { proxy in
      let client = try await proxy.connect()
      await client.send(
        "PROXY TCP4 192.0.2.9 192.0.2.1 4711 8080\r\nCONNECT a.test:443 HTTP/1.1\r\nHost: a.test:443\r\n\r\n")
      #expect(try await client.response(to: "CONNECT").status == 200)
      #expect(try await client.secure("a.test") == nil)
      await client.get()
      _ = try await origin.secure(try await origin.accept(securing: false))
      #expect(try await client.response().status == 502)
      #expect(try await proxy.record()["error.detail"]?.contains(words) == true)
      #expect(issuers.connectionCount == 0)
    }
  }

  // MARK: what a policy has

  private func policy(_ members: String) -> String {
    "trust: { t: { \(members) } }, rules: { hosts: [{ host: 'a.test', trust: 't' }] }"
  }

  private func status(_ identity: Identity, _ members: String, _ files: [String: Certificate]) async throws -> Int {
    let origin = try origin(identity)
    return try await TestProxy.run(
      ["a.test:443": origin], more: policy(members), files: files.mapValues(\.pem)
    ) { proxy in
      let (response, _) = try await ask(proxy, origin)
      return response.status
    }
  }

  @Test func `certificates of the policy complete a chain`() async throws {
    let intermediate = try PKI.authority("Configured", by: PKI.origins.get())
    let identity = try PKI.server("a.test", by: intermediate)
    let files = ["i.pem": intermediate.certificate]
    #expect(try await status(identity, "certificates: ['i.pem'], pinning: 'publicKey'", files) == 200)
    #expect(try await status(identity, "certificates: ['i.pem'], pinning: 'certificate'", files) == 200)
    #expect(try await status(identity, "certificates: []", files) == 502)
  }

  @Test func `anchors may be roots, intermediates and leaves, alone or beside the general ones`() async throws {
    let root = try PKI.authority("Private root")
    let intermediate = try PKI.authority("Private intermediate", by: root)
    let identity = try PKI.server("a.test", by: intermediate, sending: [intermediate.certificate])
    let general = try PKI.server("a.test")
    let files = ["root.pem": root.certificate, "i.pem": intermediate.certificate, "leaf.pem": identity.leaf]
    for anchor in files.keys.sorted() {
      #expect(try await status(identity, "anchors: ['\(anchor)']", files) == 200, "\(anchor)")
      #expect(try await status(identity, "anchors: ['\(anchor)'], anchorsOnly: false", files) == 200, "\(anchor)")
      #expect(try await status(general, "anchors: ['\(anchor)']", files) == 502, "\(anchor)")
      #expect(try await status(general, "anchors: ['\(anchor)'], anchorsOnly: false", files) == 200, "\(anchor)")
    }
    #expect(try await status(identity, "anchors: []", files) == 502)
    #expect(try await status(general, "anchors: []", files) == 200, "nothing takes the place of the general ones")
  }

  // MARK: tickets

  @Test func `a session is not resumed under another configuration`() async throws {
    let origin = try Origin.tls()
    let root = try PKI.origins.get().certificate
    try await TestProxy.run(
      ["a.test:443": origin], more: policy("anchors: ['own.pem']"), files: ["own.pem": root.pem]
    ) { proxy in
      var resumed: [Bool] = []
      let configurations = ["anchors: ['own.pem']", "anchors: ['own.pem'], fetchIntermediates: true"]
      for members in [nil, nil, configurations[1], nil, configurations[0]] {
        if let members {
          try await proxy.reload(try proxy.configuration(["a.test:443": origin], more: policy(members)))
        }
        let client = try await proxy.secured()
        await client.get()
        let (response, record) = try await finish(client, proxy, origin, fields: "Connection: close\r\n")
        #expect(response.status == 200)
        resumed.append(record.flag("origin.tls.resumed"))
        await client.close()
      }
      #expect(resumed == [false, true, false, true, false])
    }
  }
}

extension Certificate {
  /// As authorities publish it.
  fileprivate func published(_ form: String) throws -> [UInt8] {
    switch form {
    case "pem": return Array(pem.utf8)
    case "pkcs7":
      guard let message = PKCS7_new(), PKCS7_set_type(message, NID_pkcs7_signed) == 1,
        PKCS7_content_new(message, NID_pkcs7_data) == 1, PKCS7_add_certificate(message, pointer) == 1
      else { throw TestLog.Fault() }
      defer { PKCS7_free(message) }
      return LibraryBytes.encoded { i2d_PKCS7(message, $0) } ?? []
    default: return der
    }
  }
}
