import Bytes
import Configuration
import EventLoop
import HTTP
import Names
import Policy
import TLS

/// Makes the way through another proxy, over a connection to it: its own TLS where it has one, then CONNECT or SOCKS. What is on the
/// other side of the transport afterwards is the origin. Confined to its loop; owned by the attempt, whose time bounds it.
final class UpstreamTunnel {
  /// What is wanted of the proxy.
  enum Purpose {
    /// A tunnel to the origin.
    case tunnel
    /// It gets requests with absolute targets: nothing is to be asked beforehand.
    case forwarding
  }

  private enum Stage {
    case securing
    case connecting(HTTP1ResponseDecoder)
    case negotiating(SOCKS5Client)
    case over
  }

  private static let parameters = TLSClientParameters(
    minimumVersion: .v12, maximumVersion: .v13,
    cipherSuites: [
      "ECDHE-ECDSA-AES128-GCM-SHA256", "ECDHE-RSA-AES128-GCM-SHA256", "ECDHE-ECDSA-AES256-GCM-SHA384",
      "ECDHE-RSA-AES256-GCM-SHA384", "ECDHE-ECDSA-CHACHA20-POLY1305", "ECDHE-RSA-CHACHA20-POLY1305",
    ], allowsLateAuthentication: false)

  private let proxy: UpstreamProxy
  private let target: HostPort
  private let purpose: Purpose
  private let transport: Transport
  private let plan: OriginPlan
  private let worker: Worker
  private let judge: UpstreamProxyJudge
  private let done: (Refusal?) -> Void
  private var stage = Stage.over

  /// - Parameter done: called once, on the loop; nil: the way is made.
  init(
    _ proxy: UpstreamProxy, to target: HostPort, for purpose: Purpose, over transport: Transport, plan: OriginPlan,
    worker: Worker, done: @escaping (Refusal?) -> Void
  ) {
    self.proxy = proxy
    self.target = target
    self.purpose = purpose
    self.transport = transport
    self.plan = plan
    self.worker = worker
    self.done = done
    judge = UpstreamProxyJudge(host: proxy.address.host, anchors: plan.generation.trustAnchors.general)
  }

  func start() {
    guard proxy.kind == .https else { return ask() }
    guard let context = worker.clientContext(for: Self.parameters),
      let session = try? context.makeSession(
        serverName: proxy.address.host, alpn: ["http/1.1"], judge: judge, identities: [], ticket: nil,
        outbound: transport.ciphertext)
    else { return fail(.internalError(detail: "A TLS session for \(proxy) could not be made.")) }
    stage = .securing
    transport.attach(to: self)
    transport.secure(with: session)
  }

  private func ask() {
    guard purpose == .tunnel else { return finish(nil) }
    switch proxy.kind {
    case .http, .https:
      var decoder = HTTP1ResponseDecoder()
      decoder.expect(.connect)
      stage = .connecting(decoder)
      // A loop of proxies shows in it (RFC 9110, section 7.6.3).
      let via = plan.generation.configuration.upstream.via ? "Via: \(worker.shared.via)\r\n" : ""
      let authorization = proxy.authorization.map { "Proxy-Authorization: \($0)\r\n" } ?? ""
      transport.outgoing.append("CONNECT \(target) HTTP/1.1\r\nHost: \(target)\r\n\(via)\(authorization)\r\n")
    case .socks5:
      let client = SOCKS5Client(target: SOCKS5.Target(target), credentials: proxy.socksCredentials)
      stage = .negotiating(client)
      transport.outgoing.append(client.greeting)
    }
    transport.attach(to: self)
    transport.scheduleFlush()
    transport.resumeReading()
  }

  private func finish(_ refusal: Refusal?) {
    stage = .over
    done(refusal)
  }

  private func fail(_ refusal: Refusal) {
    finish(refusal)
  }

  // MARK: what the proxy says

  private func readAnswer(_ decoder: HTTP1ResponseDecoder) {
    var decoder = decoder
    do throws(HTTPFault) {
      while true {
        switch try decoder.next(transport.received) {
        case .needMore:
          stage = .connecting(decoder)
          return waitForMore()
        case .informational: continue
        case .head(let head, _): return answered(head)
        default: return fail(.upstreamProxyConfused(proxy, detail: "It does not answer CONNECT."))
        }
      }
    } catch {
      fail(.upstreamProxyConfused(proxy, detail: error.reason))
    }
  }

  private func answered(_ head: ResponseHead) {
    guard (200..<300).contains(head.status) else {
      return fail(
        .upstreamProxyRefuses(
          proxy, host: target.host, status: head.status, reason: String(decoding: head.reason, as: UTF8.self)))
    }
    transport.nest()
    finish(nil)
  }

  private func negotiate(_ client: SOCKS5Client) {
    var client = client
    while true {
      switch client.advance(transport.received) {
      case .needMore:
        stage = .negotiating(client)
        return waitForMore()
      case .send(let bytes):
        transport.outgoing.append(bytes)
        transport.scheduleFlush()
      case .connected: return finish(nil)
      case .failed(.refused(let reply)):
        return fail(
          .upstreamProxyRefuses(proxy, host: target.host, reply: reply, meaning: SOCKS5.meaning(of: reply)))
      case .failed(.unauthorized): return fail(.upstreamProxyWantsCredentials(proxy))
      case .failed(.malformed(let detail)): return fail(.upstreamProxyConfused(proxy, detail: detail))
      }
    }
  }

  private func waitForMore() {
    guard transport.hasEnded else { return transport.resumeReading() }
    fail(.upstreamProxyClosed(proxy, host: target.host))
  }
}

extension UpstreamTunnel: TransportDelegate {
  func transportSecured(_ transport: Transport) {
    guard case .securing = stage else { return }
    ask()
  }

  func transportReceived(_ transport: Transport) {
    switch stage {
    case .connecting(let decoder): readAnswer(decoder)
    case .negotiating(let client): negotiate(client)
    case .securing, .over: break
    }
  }

  func transportDrained(_ transport: Transport) {}

  func transportFailed(_ transport: Transport, _ failure: TransportFailure) {
    switch (stage, failure) {
    case (.over, _): break
    case (.securing, .tls(.refusedByJudge)):
      fail(.upstreamProxyUntrusted(proxy, detail: judge.objection ?? "it was not looked at"))
    case (.securing, .tls(.truncated)): fail(.upstreamProxyClosed(proxy, host: target.host))
    case (.securing, .tls(let fault)): fail(.upstreamProxySpeaksNoTLS(proxy, detail: "\(fault)"))
    default: fail(.upstreamProxyClosed(proxy, host: target.host))
    }
  }
}

extension UpstreamProxy {
  /// The value of `Proxy-Authorization` (RFC 7617); nil without credentials.
  var authorization: String? {
    user.map { "Basic " + Base64.encode(Array("\($0):\(password ?? "")".utf8)) }
  }

  fileprivate var socksCredentials: SOCKS5Client.Credentials? {
    user.flatMap { SOCKS5Client.Credentials(user: $0, password: password ?? "") }
  }
}

extension SOCKS5.Target {
  fileprivate init(_ target: HostPort) {
    let destination: Destination = target.host.address.map { .address($0.bytes) } ?? .name(target.host.text)
    self.init(destination: destination, port: target.port)
  }
}
