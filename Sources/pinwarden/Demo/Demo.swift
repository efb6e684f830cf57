import Authority
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
  private let server: ProxyServer
  private let origins: [DemoOrigin]
  private let client: DemoClient

  /// Sets everything up in a folder of its own, which must be empty.
  init(folder: String) throws {
    let certificates = try DemoCertificates(name: Self.ownIssuer)
    loop = try EventLoop(name: "pinwarden.demo")
    loop.start()
    origins = try Self.origins(certificates, on: loop)
    let configuration = try Self.configuration(in: folder, certificates, origins)
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

  private static func origins(_ certificates: DemoCertificates, on loop: EventLoop) throws -> [DemoOrigin] {
    let foreign = try DemoCertificates(name: "a root that nobody knows")
    let ordinary = try TLSServerContext()
    let demanding = try TLSServerContext(demandingCertificatesOf: [certificates.root])
    return try DemoCase.all.map { example in
      switch example.origin {
      case .plain:
        try DemoOrigin(.plain, on: loop)
      case .secure(let name, let isExpired):
        try DemoOrigin(.secure(ordinary, try certificates.server(name, isExpired: isExpired)), on: loop)
      case .foreign:
        try DemoOrigin(.secure(ordinary, try foreign.server(example.host)), on: loop)
      case .demandingCertificate:
        try DemoOrigin(.secure(demanding, try certificates.server(example.host)), on: loop)
      }
    }
  }

  /// Writes the files that the configuration names, and loads it as the daemon would.
  private static func configuration(
    in folder: String, _ certificates: DemoCertificates, _ origins: [DemoOrigin]
  ) throws -> Configuration {
    let identity = try certificates.client("demo client")
    try OutputFile.create("\(folder)/root.pem", Array(certificates.root.pem.utf8))
    try OutputFile.create("\(folder)/client.pem", Array(identity.leaf.pem.utf8))
    try OutputFile.create("\(folder)/client.key", Array(try identity.key.pem().utf8))
    let result = ConfigurationLoader.load(
      text: DemoConfiguration(addresses: origins.map(\.address), pin: "sha256/\(certificates.serverKeyDigest)").text,
      folder: folder, overrides: CommandLineOverrides(stateDirectory: folder), environment: [:])
    guard let configuration = result.configuration else {
      throw DemoFault(text: FindingsReport(result.findings).errors)
    }
    return configuration
  }

  /// Sends the requests one after the other.
  func outcomes() async -> [DemoOutcome] {
    var outcomes: [DemoOutcome] = []
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

  private static func outcome(of example: DemoCase, _ client: DemoClient) -> DemoOutcome {
    do {
      let answer = try client.get(try TargetURL(example.url))
      let code = answer.problem?.nsurlError?.code
      let isIntercepted = answer.issuer != nil && answer.issuer?.contains(ownIssuer) == false
      let isSeenAsWanted = answer.issuer == nil || isIntercepted == (example.rule != .bypass)
      return DemoOutcome(
        example: example, status: answer.status, code: code,
        detail: answer.problem?.detail
          ?? (example.rule == .bypass ? "the device saw the origin's own certificate" : "let pass"),
        isAsExpected: answer.status == example.expectation.status && code == example.expectation.code && isSeenAsWanted)
    } catch {
      let text = (error as? DemoFault)?.text ?? "\(error)"
      return DemoOutcome(example: example, status: nil, code: nil, detail: text, isAsExpected: false)
    }
  }
}
