import Authority
import Bytes
import Configuration
import Console
import Dispatch
import EventLoop
import Foundation
import Names
import Proxy
import Records
import TLS

/// Loopback origins, a real proxy in this process, and a device that sends requests through it.
struct Demo {
  private static let ownIssuer = "pinwarden demo root"

  private let loop: EventLoop
  private let folder: String
  private let server: ProxyServer
  private let origins: [DemoOrigin]
  private let client: DemoClient

  /// What came of one case.
  struct Outcome: Sendable {
    let example: DemoCase
    let status: Int?
    let code: Int?
    /// What the proxy said of a refusal, or why the request failed.
    let detail: String
    let isAsExpected: Bool
  }

  /// Sets everything up in a folder of its own, which must be empty.
  init(folder: String) throws {
    self.folder = folder
    let certificates = try DemoCertificates(name: Self.ownIssuer)
    let foreign = try DemoCertificates(name: "a root that nobody knows")
    let loop = try EventLoop(name: "pinwarden.demo")
    loop.start()
    self.loop = loop
    let ordinary = try TLSServerContext()
    let demanding = try TLSServerContext(demandingCertificatesOf: [certificates.root])
    origins = try DemoCase.all.map { example in
      let kind: DemoOrigin.Kind =
        switch example.origin {
        case .plain: .plain
        case .secure(let name, let isExpired):
          .secure(ordinary, try certificates.server(name, isExpired: isExpired))
        case .foreign: .secure(ordinary, try foreign.server(example.host))
        case .demandingCertificate: .secure(demanding, try certificates.server(example.host))
        }
      return try DemoOrigin(kind, on: loop)
    }
    let identity = try certificates.client("demo client")
    try OutputFile.create("\(folder)/root.pem", Array(certificates.root.pem.utf8))
    try OutputFile.create("\(folder)/client.pem", Array(identity.leaf.pem.utf8))
    try OutputFile.create("\(folder)/client.key", Array(try identity.key.pem().utf8))
    let pin = CertificateReport(try certificates.server("pin").leaf).digest
    let text = Self.configuration(addresses: origins.map(\.address), pin: "sha256/\(pin)")
    let result = ConfigurationLoader.load(
      text: text, folder: folder, overrides: CommandLineOverrides(stateDirectory: folder), environment: [:])
    guard let configuration = result.configuration else {
      throw DemoFault(text: FindingsReport(result.findings).errors)
    }
    let source = try AuthoritySource.load(configuration)
    server = try ProxyServer(
      configuration: configuration, authority: source.authority, site: OnboardingSite(source.publicAuthority),
      log: Log(format: .json, level: .error, descriptor: STDERR_FILENO), loopCount: 1)
    guard let proxy = try server.start().first else { throw DemoFault(text: "the proxy does not listen") }
    client = DemoClient(
      proxy: proxy.address,
      anchors: TrustStore(
        certificates: [source.authority.certificate, certificates.root], partialChain: false, includingSystem: false))
  }

  /// Sends the requests one after the other.
  func outcomes() async -> [Outcome] {
    var outcomes: [Outcome] = []
    for example in DemoCase.all {
      let client = client
      // The client waits for its answers, so it needs a thread that nobody else waits for.
      let outcome = await withCheckedContinuation { continuation in
        DispatchQueue(label: "pinwarden.demo.client").async {
          continuation.resume(returning: Self.outcome(of: example, client))
        }
      }
      outcomes.append(outcome)
    }
    return outcomes
  }

  /// Ends the proxy and the origins.
  func end() async {
    await server.drain()
    for origin in origins { origin.close() }
    loop.stop()
  }

  private static func outcome(of example: DemoCase, _ client: DemoClient) -> Outcome {
    do {
      let answer = try client.get(try TargetURL(example.url))
      let code = answer.problem?.nsurlError?.code
      let isIntercepted = answer.issuer != nil && answer.issuer?.contains(ownIssuer) == false
      let isSeenAsWanted = answer.issuer == nil || isIntercepted == (example.rule != .bypass)
      return Outcome(
        example: example, status: answer.status, code: code,
        detail: answer.problem?.detail
          ?? (example.rule == .bypass ? "the device saw the origin's own certificate" : "let pass"),
        isAsExpected: answer.status == example.expectation.status && code == example.expectation.code && isSeenAsWanted)
    } catch {
      let text = (error as? DemoFault)?.text ?? "\(error)"
      return Outcome(example: example, status: nil, code: nil, detail: text, isAsExpected: false)
    }
  }

  /// The configuration of the demo's proxy; `addresses` in the order of the cases.
  private static func configuration(addresses: [String], pin: String) -> String {
    let out = ByteQueue()
    var json = JSONText(into: out)
    json.beginObject()
    json.beginArray("listeners")
    json.beginObject()
    json.string("address", "127.0.0.1:0")
    json.endObject()
    json.endArray()
    json.null("console")
    json.null("store")
    json.beginObject("upstream")
    json.string("anchors", "root.pem")
    json.beginObject("resolve")
    for (example, address) in zip(DemoCase.all, addresses) {
      json.string(named: "\(example.host):\(example.url.hasPrefix("https:") ? 443 : 80)", address)
    }
    json.endObject()
    json.endObject()
    json.beginObject("trust")
    writePins("right", [pin], to: &json)
    writePins("wrong", ["sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="], to: &json)
    json.endObject()
    json.beginObject("identities")
    json.beginObject("demo")
    json.string("certificate", "client.pem")
    json.string("key", "client.key")
    json.endObject()
    json.endObject()
    json.beginObject("rules")
    json.beginArray("hosts")
    for example in DemoCase.all where example.rule != .none { write(example, to: &json) }
    json.endArray()
    json.endObject()
    json.beginObject("limits")
    json.string("drain", "1s")
    json.endObject()
    json.endObject()
    return String(decoding: out.bytes, as: UTF8.self)
  }

  private static func writePins(_ name: StaticString, _ pins: [String], to json: inout JSONText) {
    json.beginObject(name)
    json.beginArray("pins")
    for pin in pins { json.string(nil, pin) }
    json.endArray()
    json.endObject()
  }

  private static func write(_ example: DemoCase, to json: inout JSONText) {
    json.beginObject()
    json.string("host", example.host)
    json.string("action", example.rule == .bypass ? "bypass" : "intercept")
    switch example.rule {
    case .none, .bypass: break
    case .rightPin: json.string("trust", "right")
    case .wrongPin: json.string("trust", "wrong")
    case .identity: json.string("identity", "demo")
    }
    json.endObject()
  }
}
