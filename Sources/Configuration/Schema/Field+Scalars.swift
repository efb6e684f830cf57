/// Texts, numbers and choices.
extension Field {
  func string(_ expected: String = "text in quotes is expected") -> String? {
    guard case .string(let text) = node.value else { return rejectKind(expected: expected) }
    return text
  }

  /// Text with at least one character.
  func nonEmptyString(_ expected: String = "text in quotes is expected") -> String? {
    guard let text = string(expected) else { return nil }
    return text.isEmpty ? reject("the text is empty; \(expected)") : text
  }

  func boolean() -> Bool? {
    guard case .boolean(let value) = node.value else { return rejectKind(expected: "true or false is expected") }
    return value
  }

  func integer(in range: ClosedRange<Int>) -> Int? {
    let expected = "a whole number from \(range.lowerBound) to \(range.upperBound) is expected"
    guard case .integer(let value) = node.value else {
      if case .real = node.value { return reject("\(shown) is out of range; \(expected)") }
      return rejectKind(expected: expected)
    }
    guard let number = Int(exactly: value), range.contains(number) else {
      return reject("\(shown) is out of range; \(expected)")
    }
    return number
  }

  /// One of the words of an enumeration.
  func choice<Choice: CaseIterable & RawRepresentable>(_ type: Choice.Type) -> Choice? where Choice.RawValue == String {
    choice(of: Choice.allCases.map { ($0.rawValue, $0) })
  }

  /// One of several words, each with the value that it stands for.
  func choice<Choice>(of choices: [(word: String, value: Choice)]) -> Choice? {
    let words = choices.map { "`\($0.word)`" }.joined(separator: ", ")
    guard let text = string("one of \(words) is expected") else { return nil }
    if let match = choices.first(where: { $0.word == text }) { return match.value }
    return reject("\(shown) is none of the allowed values \(words)")
  }

  /// A number of bytes: a plain number, or text with a unit of powers of 1024 (`KiB`, `MiB`, `GiB`) or 1000 (`kB`, `MB`, `GB`).
  func byteCount(in range: ClosedRange<Int>) -> Int? {
    let expected = "a size such as \"64KiB\", \"512MiB\" or a number of bytes is expected"
    let count: Int
    switch node.value {
    case .integer(let number):
      guard let exact = Int(exactly: number) else { return reject("\(shown) is out of range") }
      count = exact
    case .string(let text):
      guard let parsed = Quantity.parse(text, units: Quantity.sizes) else {
        return reject("\(shown) is no size; \(expected)")
      }
      count = parsed
    default: return rejectKind(expected: expected)
    }
    guard range.contains(count) else {
      return reject("\(shown) is out of range; \(range.lowerBound) to \(range.upperBound) bytes are allowed")
    }
    return count
  }

  /// A time span: text with one of the units `ms`, `s`, `m`, `h`, `d`.
  func duration(in range: ClosedRange<Duration> = .milliseconds(1)...Duration.seconds(3650 * 86_400)) -> Duration? {
    let expected = "a number with a unit is expected, such as \"250ms\", \"10s\", \"5m\", \"1h\" or \"7d\""
    guard case .string(let text) = node.value else { return rejectKind(expected: expected) }
    guard let milliseconds = Quantity.parse(text, units: Quantity.durations) else {
      return reject("\(shown) is no duration; \(expected)")
    }
    let duration = Duration.milliseconds(milliseconds)
    guard range.contains(duration) else {
      return reject("\(shown) is out of range; \(range.lowerBound) to \(range.upperBound) are allowed")
    }
    return duration
  }
}
