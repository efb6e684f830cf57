extension Command {
  /// A command of a later version: its options are checked and described, and then it says that it is not there.
  private static func planned(
    _ name: String, _ summary: String, operands: String = "", operandCount: ClosedRange<Int>, options: [Option]
  ) -> Command {
    Command(
      name, summary, operands: operands, operandCount: operandCount, options: options,
      details: "Not in this version: the command ends with exit code 69.", isPlanned: true
    ) { _ throws(CommandFault) in
      throw .failed(.unavailable, "`\(name)` is not in this version; `pinwarden --help` lists what is")
    }
  }

  static let diagnose = planned(
    "diagnose", "what `nscurl --ats-diagnostics` does, with reasons", operands: "HOST|URL…", operandCount: 1...Int.max,
    options: [
      .config, .value("policy", "INFO.PLIST", "also judge by the NSAppTransportSecurity of this file"),
      .value("os", "VERSION", "which OS's rules"), .flag("verbose", "the facts of each handshake"),
      .choice("format", ["text", "json", "junit", "sarif"], "how to print the result"),
    ])
}
