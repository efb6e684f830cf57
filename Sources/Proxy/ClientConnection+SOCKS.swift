import Bytes
import EventLoop
import HTTP
import Names
import Policy

/// SOCKS 5 (RFC 1928), with user and password (RFC 1929) where `access.credentials` asks for them.
extension ClientConnection {
  enum SOCKSStage {
    case greeting
    case password
    /// The password is being verified; nothing is read meanwhile.
    case verifying
    case request
  }

  func beginSOCKS() {
    stage = .socks(.greeting)
    arm(.head)
    transport.attach(to: self)
  }

  func readSOCKS(_ socks: SOCKSStage) {
    switch socks {
    case .greeting: readGreeting()
    case .password: readPassword()
    case .verifying: if transport.hasEnded { close() }
    case .request: readRequest()
    }
  }

  private func answerSOCKS(_ bytes: [UInt8]) {
    transport.outgoing.append(bytes)
    transport.scheduleFlush()
  }

  private func refuseSOCKS(_ bytes: [UInt8]) {
    answerSOCKS(bytes)
    linger()
  }

  private func readGreeting() {
    switch SOCKS5.parseGreeting(transport.received.bytes) {
    case .needMore: waitForMore()
    case .invalid: close()
    case .greeting(let length, let methods):
      transport.received.consume(length)
      let asks = generation.gatekeeper.asksForCredentials
      guard methods.contains(asks ? .password : .none) else {
        if asks { recordAccessDenied() }
        return refuseSOCKS(SOCKS5.acceptsNoMethod)
      }
      answerSOCKS(asks ? SOCKS5.asksForPassword : SOCKS5.choosesNoAuthentication)
      let next: SOCKSStage = asks ? .password : .request
      stage = .socks(next)
      readSOCKS(next)
    }
  }

  // MARK: user and password

  private func readPassword() {
    switch SOCKS5.parseCredentials(transport.received.bytes) {
    case .needMore: waitForMore()
    case .invalid: close()
    case .credentials(let length, let user, let password):
      transport.received.consume(length)
      stage = .socks(.verifying)
      let me = bound
      let answer = generation.gatekeeper.check(user: String(decoding: user, as: UTF8.self), password: password) {
        answer in
        me.onLoop { $0.passwordVerified(answer) }
      }
      if answer != .pending { passwordVerified(answer) }
    }
  }

  private func passwordVerified(_ answer: Gatekeeper.Answer) {
    guard case .socks(.verifying) = stage else { return }
    guard case .admitted(let user) = answer else {
      recordAccessDenied()
      return refuseSOCKS(SOCKS5.refusesPassword)
    }
    use(user: user)
    answerSOCKS(SOCKS5.acceptsPassword)
    stage = .socks(.request)
    readSOCKS(.request)
  }

  private func recordAccessDenied() {
    UnreadRequest(connection: self, role: .proxy, head: nil).record(
      .accessDenied(), answer: nil, spoken: "socks5")
  }

  // MARK: the request

  private func readRequest() {
    switch SOCKS5.parseRequest(transport.received.bytes) {
    case .needMore: waitForMore()
    case .refused(let reply): refuseSOCKS(SOCKS5.reply(reply))
    case .connect(let length, let target):
      transport.received.consume(length)
      requested(target)
    }
  }

  private func requested(_ wanted: SOCKS5.Target) {
    let port = wanted.port
    let found: Host? =
      switch wanted.destination {
      case .name(let name): try? Host(name)
      case .address(let bytes): IPAddress(bytes: bytes).map(Host.init)
      }
    guard port > 0, let host = found else { return refuseSOCKS(SOCKS5.reply(.hostUnreachable)) }
    let target = TunnelTarget(target: HostPort(host: host, port: port), kind: .socks)
    let admission = TunnelAdmission(connection: self, target: target, context: context(userAgent: nil))
    guard admission.refusal == nil else {
      admission.record()
      return refuseSOCKS(SOCKS5.reply(.notAllowed))
    }
    open(target, plan: admission.plan, reply: .socks)
  }
}
