/// One command of the program, or a group of them such as `authority`.
struct Command: Sendable {
  /// Does the work; runs to the end before the process ends.
  typealias Work = @Sendable (Arguments) async throws(CommandFault) -> ExitCode

  /// The words that call it, such as `authority export`.
  let name: String
  /// One line for the list of commands.
  let summary: String
  /// How help calls its operands, such as `FILE…`; empty: it takes none.
  let operands: String
  let operandCount: ClosedRange<Int>
  let options: [Option]
  /// What help says beyond summary and options; may be empty.
  let details: String
  let subcommands: [Command]
  let work: Work

  /// - Parameter subcommands: what the first word may be in place of an operand.
  init(
    _ name: String, _ summary: String, operands: String = "", operandCount: ClosedRange<Int> = 0...0,
    options: [Option] = [], details: String = "", subcommands: [Command] = [],
    work: @escaping Work
  ) {
    self.name = name
    self.summary = summary
    self.operands = operands
    self.operandCount = operandCount
    self.options = options
    self.details = details
    self.subcommands = subcommands
    self.work = work
  }

  /// A group that does nothing itself.
  init(_ name: String, _ summary: String, subcommands: [Command]) {
    self.name = name
    self.summary = summary
    operands = ""
    operandCount = 0...0
    options = []
    details = ""
    self.subcommands = subcommands
    let words = subcommands.map(\.lastWord).joined(separator: ", ")
    work = { _ throws(CommandFault) in
      throw .usage(UsageFault("one of these must follow: \(words)", command: name))
    }
  }

  /// Whether it does nothing without one of its subcommands.
  var isGroup: Bool { !subcommands.isEmpty && operands.isEmpty }

  /// `export` of `authority export`.
  var lastWord: String { name.split(separator: " ").last.map { String($0) } ?? name }
}
