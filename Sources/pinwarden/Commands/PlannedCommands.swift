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

  static let review = planned(
    "review", "an App Review report on the exceptions of an Info.plist", operands: "INFO.PLIST", operandCount: 1...1,
    options: [.value("store", "DIR", "the recorded traffic to hold it against"), .format])
}
