import Configuration
import Foundation
import Policy
import Records

extension Command {
  static let check = Command(
    "check", "load everything that the daemon would load, and say what is wrong", options: [.config, .format],
    details: """
      Each finding names file, place, key and reason, on one line where it does not go to a terminal. Exit code 0, or 78 with any error; \
      warnings and notes stop nothing.
      """
  ) { arguments throws(CommandFault) in
    let result = ConfigurationLoader.load(
      file: arguments.value(.config), environment: ProcessInfo.processInfo.environment)
    let report = FindingsReport(result.findings)
    if arguments.wantsJSON {
      try Output.writeJSON { report.write(to: &$0) }
    } else {
      try Output.write(
        report.text(.standardOutputByLine) + report.summary(of: arguments.value(.config) ?? result.configuration?.file))
    }
    return result.hasErrors ? .configuration : .success
  }
}

extension Paint {
  fileprivate init(_ level: Finding.Level) {
    switch level {
    case .error: self = .bad
    case .warning: self = .caution
    case .note: self = .plain
    }
  }
}

/// What loading a configuration brought up, as commands print it.
struct FindingsReport {
  private let findings: [Finding]

  init(_ findings: [Finding]) {
    self.findings = findings
  }

  /// One line for each where the style breaks none.
  func text(_ style: TextStyle) -> String {
    findings.reduce(into: "") { text, finding in
      text += style.wrapped(PlainText.oneLine(finding.text), indent: "    ", paint: Paint(finding.level))
    }
  }

  /// The errors in one line, as a reason.
  var errors: String {
    findings.filter { $0.level == .error }.map { PlainText.oneLine($0.text) }.joined(separator: "; ")
  }

  /// One line, such as `pinwarden.json5: no errors, 1 warning, 0 notes`.
  func summary(of file: String?) -> String {
    func count(_ level: Finding.Level) -> String {
      let number = findings.count { $0.level == level }
      return "\(number == 0 ? "no" : "\(number)") \(level.rawValue)\(number == 1 ? "" : "s")"
    }
    return "\(file ?? "built-in defaults"): \(count(.error)), \(count(.warning)), \(count(.note))\n"
  }

  /// `{ result: "ok"|"error", findings: [{level, file, line, column, keyPath, message}] }`.
  func write(to json: inout JSONText) {
    json.beginObject()
    json.string("result", findings.contains { $0.level == .error } ? "error" : "ok")
    json.beginArray("findings")
    for finding in findings {
      json.beginObject()
      json.string("level", finding.level.rawValue)
      json.string("file", finding.file)
      if let line = finding.line { json.integer("line", line) } else { json.null("line") }
      if let column = finding.column { json.integer("column", column) } else { json.null("column") }
      json.string("keyPath", finding.keyPath)
      json.string("message", finding.message)
      json.endObject()
    }
    json.endArray()
    json.endObject()
  }
}
