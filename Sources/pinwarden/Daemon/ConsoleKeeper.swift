import Authority
import Configuration
import Console
import EventLoop
import Names
import Proxy
import Records
import TLS

/// Opens, moves and closes the console as configurations say. Used by one order after the other.
struct ConsoleKeeper: Sendable {
  /// What a configuration asks for, with everything done that can fail.
  enum Move {
    case off
    /// The listener stays.
    case stay(ConsoleToken)
    case open(ConsoleOpening, ConsoleToken)
  }

  private let console: ConsoleServer
  private let proxy: ProxyServer
  private let log: Log
  /// For sessions of tokens that stand in configurations; new with each start.
  private let sessionKey = RandomBytes.make(32)

  init(_ console: ConsoleServer, proxy: ProxyServer, log: Log) {
    self.console = console
    self.proxy = proxy
    self.log = log
  }

  /// Gets ready for a configuration; nothing has changed yet but that a new listener may be open to nobody. To be followed by
  /// `complete` or `giveUp`.
  func prepare(_ configuration: Configuration) throws(CommandFault) -> Move {
    guard let settings = configuration.console else { return .off }
    let token = try ConsoleToken.load(settings, in: StateFolder(directory: configuration.stateDirectory))
    if let listening = console.listening, Self.isSame(settings.address, listening) { return .stay(token) }
    do throws(ConsoleFault) {
      let opening = try ConsoleOpening(settings.address, inherited: proxy.takeInherited)
      // Before anybody is let in, and beside the old one: neither is reached through the proxy at any moment.
      own(console.listening?.address, opening.address)
      return .open(opening, token)
    } catch {
      throw .failed(
        error.isPermission ? .noPermission : .unavailable,
        "\(error); choose another address with console.address or --console, or switch it off with `console: null`")
    }
  }

  /// Makes the move.
  func complete(_ move: Move) {
    switch move {
    case .off:
      console.close()
      own(nil, nil)
    case .stay(let token): console.use(credentials(token))
    case .open(let opening, let token):
      console.open(opening, credentials(token))
      own(opening.address, nil)
    }
  }

  /// Takes back what `prepare` did.
  func giveUp(_ move: Move) {
    guard case .open(let opening, _) = move else { return }
    opening.close()
    own(console.listening?.address, nil)
  }

  /// Where it is configured to listen, and where it does; nil: it is switched off.
  var listening: (configured: ListenAddress, address: SocketAddress)? { console.listening }

  func drain() async { await console.drain() }

  private func own(_ one: SocketAddress?, _ other: SocketAddress?) {
    proxy.alsoOwn([one, other].compactMap { $0 })
  }

  private func credentials(_ token: ConsoleToken) -> ConsoleCredentials {
    if token.wasExposed, let file = token.file {
      log.write(
        LogEvent(
          .warning, "console-token",
          [
            ("file", .text(file)),
            ("detail", .text("others could read it; it is 0600 now. Remove it and restart to have a new token")),
          ]))
    }
    return token.credentials(sessionKey: sessionKey)
  }

  private static func isSame(
    _ wanted: ListenAddress, _ listening: (configured: ListenAddress, address: SocketAddress)
  ) -> Bool {
    if wanted == listening.configured { return true }
    guard case .tcp(let ip, let port) = wanted else { return false }
    return listening.address == SocketAddress(ip: ip.bytes, port: port)
  }
}
