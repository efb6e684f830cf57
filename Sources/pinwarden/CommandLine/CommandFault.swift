/// Why a command ends before its work is done.
enum CommandFault: Error, Equatable {
  case usage(UsageFault)
  /// A sentence for standard error, after the name of the program.
  case failed(ExitCode, String)
  /// Everything has been said already.
  case ended(ExitCode)

  /// A command line that reads well but cannot be carried out as it stands.
  static func usage(_ message: String) -> CommandFault { .usage(UsageFault(message)) }

  /// The sentence, for those who are not at a terminal.
  var reason: String {
    switch self {
    case .usage(let fault): fault.text
    case .failed(_, let reason): reason
    case .ended: "it has been said already"
    }
  }
}
