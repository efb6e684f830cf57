/// Whether text has the colours of a terminal.
public enum DiagnosisStyle: Sendable {
  case plain, coloured

  func bold(_ text: String) -> String { wrap(text, "1") }
  func red(_ text: String) -> String { wrap(text, "31") }
  func green(_ text: String) -> String { wrap(text, "32") }
  func dim(_ text: String) -> String { wrap(text, "2") }

  private func wrap(_ text: String, _ code: String) -> String {
    self == .coloured ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
