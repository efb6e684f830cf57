import Authority
import Configuration
import Console
import Foundation
import Proxy
import Records
import Synchronization

/// The running daemon: the proxy, the console, their configuration, and what signals and the console have it do.
final class Daemon: Sendable {
  let file: String?
  let overrides: CommandLineOverrides
  let site: CurrentSite
  let log: Log
  let server: ProxyServer
  let history: ExchangeHistory
  let control: DaemonControl
  let console: ConsoleKeeper
  let onboarding: OnboardingKeeper
  let devices: DeviceRegistry
  let systemd: SystemdNotifier
  /// The authority in use.
  let authority: Mutex<AuthoritySource>
  private let orders: OrderQueue
  private let first: Configuration

  /// - Parameters:
  ///   - orders: what signals and the console want done.
  ///   - file, overrides: from which a reload loads the configuration again.
  init(
    _ configuration: Configuration, orders: OrderQueue, file: String?, overrides: CommandLineOverrides
  ) throws(CommandFault) {
    let environment = ProcessInfo.processInfo.environment
    first = configuration
    self.orders = orders
    self.file = file
    self.overrides = overrides
    systemd = SystemdNotifier(environment: environment)
    let source = try AuthoritySource.load(configuration)
    authority = Mutex(source)
    let log = Log(format: configuration.log.textFormat, level: configuration.log.recordLevel)
    self.log = log
    devices = KeptDevices.registry(in: StateFolder(directory: configuration.stateDirectory), log: log)
    site = CurrentSite(Self.site(source, configuration, devices))
    history = ExchangeHistory(configuration, log: log)
    do {
      server = try ProxyServer(
        configuration: configuration, authority: source.authority, site: site, log: log, recorder: history,
        metrics: Metrics(version: Versions().program), inherited: InheritedSockets.take(environment: environment),
        loopCount: ProcessInfo.processInfo.activeProcessorCount)
      server.metrics.register { [devices] in devices.families }
      control = DaemonControl(configuration, orders: orders, server: server, exchanges: history, devices: devices)
      let console = try ConsoleServer(control: control, log: log, version: Versions().program)
      self.console = ConsoleKeeper(console, proxy: server, log: log)
      onboarding = OnboardingKeeper(try OnboardingServer(log: log), proxy: server)
    } catch {
      throw .failed(.internalFault, "\(error)")
    }
  }

  /// Serves until an order ends it.
  func run() async throws(CommandFault) -> ExitCode {
    report(authority.withLock { $0 })
    let move = try console.prepare(first)
    console.complete(move)
    let entrance = try onboarding.prepare(first)
    site.use(Self.site(authority.withLock { $0 }, first, devices, onboarding.entrance(after: entrance)))
    do throws(ListenFault) {
      announce(try server.start())
    } catch {
      throw .failed(error.isPermission ? .noPermission : .unavailable, "\(error)")
    }
    onboarding.complete(entrance, first, site: site)
    announce(move)
    announce(entrance)
    greet(move, onboarding.entrance(after: entrance))
    control.beginServing()
    systemd.ready()
    var orders = orders.orders.makeAsyncIterator()
    while let order = await orders.next() {
      switch order {
      case .reload(let reply): await carryOut(reply) { () throws(ControlFault) in try await self.reload() }
      case .whitelist(let origins, let reply):
        await carryOut(reply) { () throws(ControlFault) in try await self.replaceWhitelist(origins) }
      case .end(let name):
        await end(name)
        return .success
      }
    }
    return .success
  }

  private func carryOut(_ reply: Order.Reply?, _ work: () async throws(ControlFault) -> Void) async {
    do throws(ControlFault) {
      try await work()
      reply?(.success(()))
    } catch {
      reply?(.failure(error))
    }
  }

  /// Lets what runs finish; another signal to end does not wait for it. The console says until the end that it is not ready.
  private func end(_ name: String) async {
    systemd.stopping()
    control.endServing()
    log.write(LogEvent(.info, "stopping", [("signal", .text(name))]))
    let impatience = Task {
      for await order in orders.orders {
        order.refuse()
        guard case .end = order else { continue }
        log.flush(milliseconds: 100)
        exit(ExitCode.negative.rawValue)
      }
    }
    await server.drain()
    await console.drain()
    onboarding.end()
    devices.flush()
    history.close(milliseconds: 3_000)
    impatience.cancel()
    log.flush(milliseconds: 1_000)
  }

  static func site(
    _ source: AuthoritySource, _ configuration: Configuration, _ devices: DeviceRegistry,
    _ entrance: OnboardingEntrance? = nil
  ) -> OnboardingSite {
    OnboardingSite(
      source.publicAuthority, network: configuration.onboarding.ssid, entrance: entrance, devices: devices)
  }
}
