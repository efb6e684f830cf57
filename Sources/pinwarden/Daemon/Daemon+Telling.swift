import Configuration
import Console
import EventLoop
import Foundation
import Proxy
import Records
import Synchronization

/// What the daemon tells of itself.
extension Daemon {
  func report(_ source: AuthoritySource) {
    if source.isNew {
      log.write(LogEvent(.info, "authority-made", [("file", .text(source.file ?? ""))]))
    }
    for warning in source.warnings { log.write(LogEvent(.warning, "authority", [("detail", .text(warning))])) }
  }

  /// One event for each open listener.
  func announce(_ listening: [ProxyServer.Listening]) {
    for listener in listening { announce(listener.listener, at: listener.address) }
  }

  /// One event if the console has a new listener.
  func announce(_ move: ConsoleKeeper.Move) {
    guard case .open(let opening, _) = move else { return }
    announce("console", at: "\(opening.address)")
  }

  /// The same for the listener of the site for devices.
  func announce(_ move: OnboardingKeeper.Move) {
    guard case .open(let opening) = move else { return }
    announce("onboarding", at: "\(opening.address)")
  }

  private func announce(_ listener: String, at address: String) {
    log.write(LogEvent(.info, "listening", [("listener", .text(listener)), ("address", .text(address))]))
  }

  /// What a person at a terminal needs to begin with.
  func greet(_ move: ConsoleKeeper.Move, _ entrance: OnboardingEntrance?) {
    let configuration = control.configuration
    guard configuration.log.textFormat == .text, LogSettings.isOnTerminal else { return }
    log.flush(milliseconds: 1_000)
    var greeting = Greeting(
      source: authority.withLock { $0 }, file: file, listening: server.listening, settings: configuration.listeners)
    if case .open(let opening, let token) = move { greeting.console = (opening.address.description, token.file) }
    greeting.entrance = entrance?.url
    // A terminal that is gone is no reason to end.
    try? Output.write(greeting.text)
  }
}

extension LogSettings {
  static var isOnTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

  /// `auto` settled for standard output.
  var textFormat: RecordText.Format {
    switch format {
    case .text: .text
    case .json: .json
    case .auto: Self.isOnTerminal ? .text : .json
    }
  }

  var recordLevel: LogLevel {
    switch level {
    case .error: .error
    case .warning: .warning
    case .info: .info
    case .debug: .debug
    }
  }
}
