import Configuration
import Console
import Foundation
import Proxy
import Records

/// The running daemon: the proxy, its configuration, and what signals do to them.
final class Daemon: Sendable {
  private let file: String?
  private let overrides: CommandLineOverrides
  private let signals: AsyncStream<SignalStream.Signal>
  private let first: Configuration
  private let source: AuthoritySource
  private let site: CurrentSite
  private let log: Log
  private let history: ExchangeHistory
  private let server: ProxyServer
  private let systemd: SystemdNotifier

  /// - Parameters:
  ///   - file, overrides: from which a reload loads the configuration again.
  init(
    _ configuration: Configuration, signals: AsyncStream<SignalStream.Signal>, file: String?,
    overrides: CommandLineOverrides
  ) throws(CommandFault) {
    let environment = ProcessInfo.processInfo.environment
    first = configuration
    self.signals = signals
    self.file = file
    self.overrides = overrides
    systemd = SystemdNotifier(environment: environment)
    source = try AuthoritySource.load(configuration)
    site = CurrentSite(Self.site(source, configuration))
    log = Log(format: configuration.log.textFormat, level: configuration.log.recordLevel)
    history = ExchangeHistory(configuration, log: log)
    do {
      server = try ProxyServer(
        configuration: configuration, authority: source.authority, site: site, log: log,
        recorder: history, inherited: InheritedSockets.take(environment: environment),
        loopCount: ProcessInfo.processInfo.activeProcessorCount)
    } catch {
      throw .failed(.internalFault, "\(error)")
    }
  }

  /// Serves until a signal ends it.
  func run() async throws(CommandFault) -> ExitCode {
    report(source)
    do throws(ListenFault) {
      announce(try server.start(), of: first)
    } catch {
      throw .failed(error.isPermission ? .noPermission : .unavailable, "\(error)")
    }
    systemd.ready()
    var signals = signals.makeAsyncIterator()
    while let signal = await signals.next() {
      switch signal {
      case .reload:
        systemd.reloading()
        reload()
        systemd.ready()
      case .end(let name):
        await end(name)
        return .success
      }
    }
    return .success
  }

  /// Lets what runs finish; another signal to end does not wait for it.
  private func end(_ name: String) async {
    systemd.stopping()
    log.write(LogEvent(.info, "stopping", [("signal", .text(name))]))
    let impatience = Task {
      for await signal in signals {
        guard case .end = signal else { continue }
        log.flush(milliseconds: 100)
        exit(ExitCode.negative.rawValue)
      }
    }
    await server.drain()
    history.close(milliseconds: 3_000)
    impatience.cancel()
    log.flush(milliseconds: 1_000)
  }

  // MARK: reload

  /// Loads everything again. If anything is wrong with it, all stays as it was.
  private func reload() {
    let result = ConfigurationLoader.load(
      file: file, overrides: overrides, environment: ProcessInfo.processInfo.environment)
    let report = FindingsReport(result.findings)
    Output.complain(report.text)
    guard let configuration = result.configuration else { return reject(report.errors) }
    do {
      let source = try AuthoritySource.load(configuration)
      let before = server.listening
      try server.reload(configuration, authority: source.authority)
      site.use(Self.site(source, configuration))
      log.use(level: configuration.log.recordLevel)
      history.use(HistorySettings(configuration))
      self.report(source)
      announce(server.listening.filter { new in !before.contains { $0.address == new.address } }, of: nil)
      log.write(LogEvent(.info, "reload", [("result", .text("applied"))]))
    } catch CommandFault.failed(_, let message) {
      reject(message)
    } catch {
      reject("\(error)")
    }
  }

  private func reject(_ reason: String) {
    log.write(LogEvent(.error, "reload", [("result", .text("rejected")), ("reason", .text(reason))]))
  }

  // MARK: what is told

  private func report(_ source: AuthoritySource) {
    if source.isNew {
      log.write(LogEvent(.info, "authority-made", [("file", .text(source.file ?? ""))]))
    }
    for warning in source.warnings { log.write(LogEvent(.warning, "authority", [("detail", .text(warning))])) }
  }

  /// One event for each open listener; `configuration`: at the start, for the greeting on a terminal.
  private func announce(_ listening: [ProxyServer.Listening], of configuration: Configuration?) {
    for listener in listening {
      log.write(
        LogEvent(
          .info, "listening", [("listener", .text(listener.listener)), ("address", .text(listener.address))]))
    }
    guard let configuration, configuration.log.textFormat == .text, LogSettings.isOnTerminal else { return }
    log.flush(milliseconds: 1_000)
    let greeting = Greeting(source: source, file: file, listening: listening, settings: configuration.listeners)
    // A terminal that is gone is no reason to end.
    try? Output.write(greeting.text)
  }

  private static func site(_ source: AuthoritySource, _ configuration: Configuration) -> OnboardingSite {
    OnboardingSite(source.publicAuthority, network: configuration.onboarding.ssid)
  }
}

extension LogSettings {
  static var isOnTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

  /// `auto` settled for standard output.
  fileprivate var textFormat: RecordText.Format {
    switch format {
    case .text: .text
    case .json: .json
    case .auto: Self.isOnTerminal ? .text : .json
    }
  }

  fileprivate var recordLevel: LogLevel {
    switch level {
    case .error: .error
    case .warning: .warning
    case .info: .info
    case .debug: .debug
    }
  }
}
