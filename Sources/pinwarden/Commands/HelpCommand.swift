extension Command {
  static let help = Command(
    "help", "the help of the program or of a command", operands: "[COMMAND…]", operandCount: 0...2
  ) { arguments throws(CommandFault) in
    guard !arguments.operands.isEmpty else {
      try Output.write(Program.help)
      return .success
    }
    let request: Request
    do throws(UsageFault) {
      request = try Program.root.parse((arguments.operands + ["--help"])[...])
    } catch {
      throw .usage(error)
    }
    switch request {
    case .help(let command), .run(let command, _): try Output.write(command.help)
    }
    return .success
  }
}
