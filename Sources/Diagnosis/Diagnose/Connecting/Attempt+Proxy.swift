import Foundation
import HTTP
import Names
import Policy

/// The way through another proxy: CONNECT (RFC 9110, section 9.3.6) or SOCKS 5.
extension Attempt {
  func beginTunnel(_ line: Line, _ proxy: UpstreamProxy) {
    switch proxy.kind {
    case .http, .https:
      var decoder = HTTP1ResponseDecoder()
      decoder.expect(.connect)
      stage = .proxyAnswer(decoder)
      line.write(
        Array("CONNECT \(errand.target) HTTP/1.1\r\nHost: \(errand.target)\r\n\(proxy.authorizationField)\r\n".utf8))
    case .socks5:
      let client = SOCKS5Client(target: SOCKS5.Target(errand.target), credentials: proxy.socksCredentials)
      stage = .proxyNegotiation(client)
      line.write(client.greeting)
    }
  }

  func readTunnelAnswer(_ line: Line, _ decoder: HTTP1ResponseDecoder) {
    guard let proxy = errand.proxy else { return }
    var decoder = decoder
    do throws(HTTPFault) {
      while true {
        switch try decoder.next(line.received) {
        case .needMore:
          stage = .proxyAnswer(decoder)
          return endIfClosed(line, proxy)
        case .informational: continue
        case .head(let head, _) where (200..<300).contains(head.status): return proxyPassed(line)
        case .head(let head, _):
          return end(
            .unreachable(
              .upstreamProxyRefuses(
                proxy, host: errand.target.host, status: head.status,
                reason: String(decoding: head.reason, as: UTF8.self))))
        default:
          return end(.unreachable(.upstreamProxyConfused(proxy, detail: "It does not answer CONNECT.")))
        }
      }
    } catch {
      end(.unreachable(.upstreamProxyConfused(proxy, detail: error.reason)))
    }
  }

  func negotiate(_ line: Line, _ client: SOCKS5Client) {
    guard let proxy = errand.proxy else { return }
    var client = client
    while true {
      switch client.advance(line.received) {
      case .needMore:
        stage = .proxyNegotiation(client)
        return endIfClosed(line, proxy)
      case .send(let bytes): line.write(bytes)
      case .connected: return proxyPassed(line)
      case .failed(.refused(let reply)):
        return end(
          .unreachable(
            .upstreamProxyRefuses(proxy, host: errand.target.host, reply: reply, meaning: SOCKS5.meaning(of: reply))))
      case .failed(.unauthorized): return end(.unreachable(.upstreamProxyWantsCredentials(proxy)))
      case .failed(.malformed(let detail)): return end(.unreachable(.upstreamProxyConfused(proxy, detail: detail)))
      }
    }
  }

  private func endIfClosed(_ line: Line, _ proxy: UpstreamProxy) {
    if line.hasEnded { end(.unreachable(.upstreamProxyClosed(proxy, host: errand.target.host))) }
  }
}

extension UpstreamProxy {
  /// `Proxy-Authorization` with its line end (RFC 7617); empty without credentials.
  var authorizationField: String {
    guard let user else { return "" }
    return "Proxy-Authorization: Basic \(Data("\(user):\(password ?? "")".utf8).base64EncodedString())\r\n"
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
