import Bytes
import EventLoop
import HTTP
import Names

/// What may come before HTTP: the header of a load balancer (PROXY protocol), and SOCKS 5.
extension ClientConnection {
  func readProxyHeader() {
    switch ProxyProtocol.parse(transport.received.bytes) {
    case .needMore:
      waitForMore()
    case .invalid:
      close()
    case .header(let length, let source):
      transport.received.consume(length)
      if let source, let address = IPAddress(bytes: source.ip) {
        clientAddress = address.unmapped
        clientText = SocketAddress(ip: address.unmapped.bytes, port: source.port).map { "\($0)" } ?? clientText
      }
      admit()
    }
  }

  func readSOCKS(_ socks: SOCKSStage) {
    switch socks {
    case .greeting:
      switch SOCKS5.parseGreeting(transport.received.bytes) {
      case .needMore: waitForMore()
      case .invalid: close()
      case .greeting(let length, let offersNoAuthentication):
        transport.received.consume(length)
        // This version's SOCKS knows no credentials; where they are demanded nobody gets past them this way.
        guard offersNoAuthentication, !generation.gatekeeper.asksForCredentials else {
          transport.outgoing.append(SOCKS5.acceptsNoMethod)
          transport.scheduleFlush()
          return linger()
        }
        transport.outgoing.append(SOCKS5.choosesNoAuthentication)
        transport.scheduleFlush()
        stage = .socks(.request)
        readSOCKS(.request)
      }
    case .request:
      switch SOCKS5.parseRequest(transport.received.bytes) {
      case .needMore: waitForMore()
      case .refused(let reply):
        transport.outgoing.append(SOCKS5.reply(reply))
        transport.scheduleFlush()
        linger()
      case .connect(let length, let target):
        transport.received.consume(length)
        socksRequested(target)
      }
    }
  }

  private func socksRequested(_ wanted: SOCKS5.Target) {
    let port = wanted.port
    let found: Host? =
      switch wanted.destination {
      case .name(let name): try? Host(name)
      case .address(let bytes): IPAddress(bytes: bytes).map(Host.init)
      }
    guard port > 0, let host = found else {
      transport.outgoing.append(SOCKS5.reply(.hostUnreachable))
      transport.scheduleFlush()
      return linger()
    }
    let target = TunnelTarget(target: HostPort(host: host, port: port), kind: .socks)
    let admission = TunnelAdmission(connection: self, target: target, context: context(userAgent: nil))
    guard admission.refusal == nil else {
      admission.record()
      transport.outgoing.append(SOCKS5.reply(.notAllowed))
      transport.scheduleFlush()
      return linger()
    }
    open(target, plan: admission.plan, reply: .socks)
  }
}
