/// What was given to a command, checked against its options.
struct Arguments: Sendable, Equatable {
  private var values: [String: [String]] = [:]
  /// Everything that is no option, in order.
  private(set) var operands: [String] = []

  /// The value of an option that may be given once.
  func value(_ option: Option) -> String? { values[option.name]?.first }

  /// All values of an option, in order.
  func values(_ option: Option) -> [String] { values[option.name] ?? [] }

  func has(_ option: Option) -> Bool { values[option.name] != nil }

  /// Whether `--format json` was given.
  var wantsJSON: Bool { value(.format) == "json" }

  mutating func add(_ value: String, for option: Option) {
    values[option.name, default: []].append(value)
  }

  mutating func add(operand: String) {
    operands.append(operand)
  }
}
