import Configuration
import Console
import EventLoop
import Names
import Proxy
import Records

/// Opens, moves and closes the listener of the site for devices as configurations say. Used by one order after the other.
struct OnboardingKeeper: Sendable {
  /// What a configuration asks for, with everything done that can fail.
  enum Move {
    case off
    /// The listener stays.
    case stay
    case open(ConsoleOpening)
  }

  private let server: OnboardingServer
  private let proxy: ProxyServer

  init(_ server: OnboardingServer, proxy: ProxyServer) {
    self.server = server
    self.proxy = proxy
  }

  /// Gets ready for a configuration; nothing has changed yet but that a new listener may be open to nobody. To be followed by
  /// `complete` or `giveUp`.
  func prepare(_ configuration: Configuration) throws(CommandFault) -> Move {
    guard let wanted = configuration.onboarding.address else { return .off }
    if let listening = server.listening, Self.isSame(wanted, listening) { return .stay }
    do throws(ConsoleFault) {
      let opening = try ConsoleOpening(wanted, inherited: proxy.takeInherited)
      own(server.listening?.address, opening.address)
      return .open(opening)
    } catch {
      throw .failed(
        error.isPermission ? .noPermission : .unavailable,
        "the page for devices cannot listen on \(error.address): \(error.reason); choose another onboarding.address")
    }
  }

  /// Makes the move. The proxy's listeners are open.
  func complete(_ move: Move, _ configuration: Configuration, site: any InternalSite) {
    let terms = OnboardingTerms(configuration, site: site, proxy: proxyAddress(configuration))
    switch move {
    case .off:
      server.close()
      own(nil, nil)
    case .stay: server.use(terms)
    case .open(let opening):
      server.open(opening, terms)
      own(opening.address, nil)
    }
  }

  /// Takes back what `prepare` did.
  func giveUp(_ move: Move) {
    guard case .open(let opening) = move else { return }
    opening.close()
    own(server.listening?.address, nil)
  }

  /// Where it is configured to listen, and where it does; nil: it is switched off.
  var listening: (configured: ListenAddress, address: SocketAddress)? { server.listening }

  /// What a QR code is to carry once the move is made; nil: there is no listener that a device can reach.
  func entrance(after move: Move) -> OnboardingEntrance? {
    let address: SocketAddress? =
      switch move {
      case .off: nil
      case .stay: server.listening?.address
      case .open(let opening): opening.address
      }
    return address.flatMap { OnboardingEntrance($0, machine: (try? SocketAddress.ofThisMachine()) ?? []) }
  }

  func end() { server.end() }

  private func own(_ one: SocketAddress?, _ other: SocketAddress?) {
    proxy.alsoServeSite(at: [one, other].compactMap { $0 })
  }

  /// The listener that devices are told of: the first that takes proxy requests in plain text from the network.
  private func proxyAddress(_ configuration: Configuration) -> String? {
    zip(proxy.listening, configuration.listeners).first { listening, settings in
      settings.mode == .explicit && settings.tlsNames == nil && !listening.address.hasPrefix("unix:")
    }?.0.address
  }

  private static func isSame(
    _ wanted: ListenAddress, _ listening: (configured: ListenAddress, address: SocketAddress)
  ) -> Bool {
    if wanted == listening.configured { return true }
    guard case .tcp(let ip, let port) = wanted else { return false }
    return listening.address == SocketAddress(ip: ip.bytes, port: port)
  }
}
