import Configuration
import Glibc
import Policy

extension Command {
  static let run = Command(
    "run", "the daemon, in the foreground",
    options: [.config, .listen, .allow, .console, .stateDirectory, .checkOnly],
    details: """
      Writes events and one record for each request to standard output: text on a terminal, JSON lines elsewhere.

      SIGHUP loads the configuration again; one with errors changes nothing. SIGTERM and SIGINT stop accepting, let running \
      requests finish for limits.drain, and end with 0; a second one ends at once.
      """
  ) { arguments throws(CommandFault) in
    let overrides = CommandLineOverrides(
      listen: arguments.value(.listen), allow: arguments.values(.allow), console: arguments.value(.console),
      stateDirectory: arguments.value(.stateDirectory))
    let configuration = try LoadedConfiguration.load(
      arguments, overrides: overrides, showing: [.error, .warning, .note])
    guard !arguments.has(.checkOnly) else { return .success }
    // A client that goes away while it is written to is an error of that connection, not the end of the daemon.
    signal(SIGPIPE, SIG_IGN)
    // In place before anything that could be signalled has been announced.
    let orders = OrderQueue()
    let signals = SignalStream(to: orders)
    defer { withExtendedLifetime(signals) {} }
    DescriptorLimit.raise()
    let daemon = try Daemon(configuration, orders: orders, file: arguments.value(.config), overrides: overrides)
    return try await daemon.run()
  }
}

extension Option {
  fileprivate static let listen = Option.value(
    "listen", "ADDRESS:PORT", "listen there, in place of all configured listeners; port 0 takes a free one")
  fileprivate static let allow = Option.list("allow", "CIDR", "also admit clients from this network")
  fileprivate static let console = Option.value(
    "console", "ADDRESS:PORT|off", "where the console listens; off: nowhere")
  fileprivate static let checkOnly = Option.flag("check-only", "load the configuration, say what is wrong, and end")
}
