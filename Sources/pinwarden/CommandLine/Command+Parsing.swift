import Policy

extension Command {
  /// What the words of a command line ask for.
  enum Request {
    case run(Command, Arguments)
    case help(Command)
  }

  /// Reads what follows the name of this command: GNU long options in both forms, mixed with operands; `--` ends the options.
  func parse(_ words: ArraySlice<String>) throws(UsageFault) -> Request {
    if isGroup { return try parseSubcommand(words) }
    if let command = subcommands.first(where: { $0.lastWord == words.first }) {
      return try command.parse(words.dropFirst())
    }
    var arguments = Arguments()
    var rest = words
    while let word = rest.popFirst() {
      if word == "--" {
        for operand in rest { arguments.add(operand: operand) }
        break
      } else if word == "--help" || word == "-h" {
        return .help(self)
      } else if word.hasPrefix("--") {
        try parseOption(word.dropFirst(2), &rest, &arguments)
      } else if let option = options.first(where: { option in option.letter.map { word == "-\($0)" } ?? false }) {
        try parseOption(option.name[...], &rest, &arguments)
      } else if word.hasPrefix("-"), word != "-" {
        throw fault("unknown option \(word)" + hint(word.drop { $0 == "-" }))
      } else {
        arguments.add(operand: word)
      }
    }
    try checkOperands(arguments.operands)
    return .run(self, arguments)
  }

  private func parseSubcommand(_ words: ArraySlice<String>) throws(UsageFault) -> Request {
    guard let word = words.first else { return .run(self, Arguments()) }
    if word == "--help" || word == "-h" { return .help(self) }
    guard let command = subcommands.first(where: { $0.lastWord == word }) else {
      guard !word.hasPrefix("-") else { throw fault("unknown option \(word)") }
      let near = NearestKey.find(word, among: subcommands.map(\.lastWord))
      let known =
        near.map { "did you mean `\($0)`?" } ?? "there are \(subcommands.map(\.lastWord).joined(separator: ", "))"
      throw fault("unknown command `\(word)`; \(known)")
    }
    return try command.parse(words.dropFirst())
  }

  private func parseOption(
    _ text: Substring, _ rest: inout ArraySlice<String>, _ arguments: inout Arguments
  ) throws(UsageFault) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = parts.first ?? text
    guard let option = options.first(where: { $0.name == name }) else {
      throw fault("unknown option --\(name)" + hint(name))
    }
    guard option.isRepeatable || !arguments.has(option) else { throw fault("--\(name) is given twice") }
    guard option.value != nil else {
      guard parts.count == 1 else { throw fault("--\(name) takes no value") }
      return arguments.add("", for: option)
    }
    guard let value = parts.count == 2 ? parts.last.map({ String($0) }) : rest.popFirst() else {
      throw fault("--\(name) needs a value: \(option.synopsis)")
    }
    guard option.choices.isEmpty || option.choices.contains(value) else {
      let near = NearestKey.find(value, among: option.choices).map { "; did you mean `\($0)`?" } ?? ""
      throw fault("--\(name) is `\(value)`, but must be one of \(option.choices.joined(separator: ", "))" + near)
    }
    arguments.add(value, for: option)
  }

  private func checkOperands(_ operands: [String]) throws(UsageFault) {
    if operands.count < operandCount.lowerBound {
      throw fault(operandCount.lowerBound == 1 ? "\(self.operands) is missing" : "it takes \(self.operands)")
    }
    if operands.count > operandCount.upperBound {
      let first = operands[operandCount.upperBound]
      throw fault(
        operandCount.upperBound == 0
          ? "it takes no arguments, but got `\(first)`" : "`\(first)` is one argument too many")
    }
  }

  private func hint(_ name: Substring) -> String {
    NearestKey.find(String(name), among: options.map(\.name) + ["help"]).map { "; did you mean --\($0)?" } ?? ""
  }

  private func fault(_ message: String) -> UsageFault { UsageFault(message, command: name) }
}
