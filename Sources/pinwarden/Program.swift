/// The commands, and how the words of a command line reach one of them.
enum Program {
  /// In the order of the help.
  static let commands: [Command] = [
    .run, .check, .explain, .diagnose, .review, .pins, .identity, .authority, .har, .demo, .version, .help,
  ]

  /// The commands seen as one group; its help is the program's.
  static let root = Command(
    "", "an intercepting HTTPS proxy that judges origins as an Apple device would", subcommands: commands)

  static let help = """
    usage: pinwarden COMMAND [OPTION…] [ARGUMENT…]

    An intercepting HTTPS proxy that judges origins as an Apple device would: App
    Transport Security, certificate trust, pins, client certificates.

    commands:
    \(Command.table(commands.map { ($0.name, $0.summary) }))
    `pinwarden COMMAND --help` describes the options of a command.

    exit codes: 0 success, 1 negative result, 2 hopeless (`diagnose`), 64 usage,
    65 unreadable input file, 69 unavailable, 70 internal, 73 cannot create a file,
    77 no permission, 78 configuration

    Text is in 80 columns, on a terminal up to 100, and coloured there unless
    NO_COLOR is set.

    """

  /// Runs one command line, program name left out.
  static func run(_ words: ArraySlice<String>) async -> ExitCode {
    do throws(CommandFault) {
      return try await dispatch(words)
    } catch {
      return report(error)
    }
  }

  private static func dispatch(_ words: ArraySlice<String>) async throws(CommandFault) -> ExitCode {
    if let word = words.first, word == "--help" || word == "-h" {
      try Output.write(help)
      return .success
    }
    if words.first == "--version" { return try await Command.version.work(Arguments()) }
    guard !words.isEmpty else {
      Output.complain(help)
      return .usage
    }
    let request: Command.Request
    do throws(UsageFault) {
      request = try root.parse(words)
    } catch {
      throw .usage(error)
    }
    switch request {
    case .help(let command):
      try Output.write(command.help)
      return .success
    case .run(let command, let arguments):
      do throws(CommandFault) {
        return try await command.work(arguments)
      } catch .usage(var fault) {
        if fault.command.isEmpty { fault.command = command.name }
        throw .usage(fault)
      }
    }
  }

  private static func report(_ fault: CommandFault) -> ExitCode {
    switch fault {
    case .usage(let fault):
      Output.complain(fault.text)
      return .usage
    case .failed(let code, let message):
      Output.complain("pinwarden: \(message)\n")
      return code
    case .ended(let code):
      return code
    }
  }
}
