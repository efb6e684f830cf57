/// A command line that cannot be understood. Ends with exit code 64.
struct UsageFault: Error, Equatable {
  /// What is wrong and, where something similar is known, what was probably meant.
  let message: String
  /// The command whose help says more, such as `authority export`; empty: the program as a whole.
  var command: String

  init(_ message: String, command: String = "") {
    self.message = message
    self.command = command
  }

  /// Two lines for standard error.
  var text: String {
    let name = command.isEmpty ? "pinwarden" : "pinwarden \(command)"
    return "\(name): \(message)\nTry `\(name) --help`.\n"
  }
}
