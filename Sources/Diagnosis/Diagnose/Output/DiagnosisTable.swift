import Policy

/// Several diagnoses in one table.
public enum DiagnosisTable {
  /// One host under the rules of several OS versions: a line for each row, a column for each version.
  public static func matrix(_ diagnoses: [HostDiagnosis], style: DiagnosisStyle) -> String {
    guard let first = diagnoses.first, first.obstacle == nil else { return "" }
    let names = first.rows.map(\.row.name)
    let width = names.map(\.count).max() ?? 0
    var lines = [style.bold("OS versions of \(first.target.name)")]
    lines.append(("  " + padded("", width) + diagnoses.map { "  " + padded("\($0.os)", 6) }.joined()).trimmed)
    for (index, name) in names.enumerated() {
      let cells = diagnoses.map { diagnosis -> String in
        guard diagnosis.rows.indices.contains(index) else { return "-" }
        let result = diagnosis.rows[index].result
        return result == .pass ? style.green(result.rawValue) : style.red(result.rawValue)
      }
      // Both words have four letters.
      lines.append("  " + padded(name, width) + "  " + cells.joined(separator: "    "))
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// A line for each host.
  public static func summary(_ diagnoses: [HostDiagnosis], style: DiagnosisStyle) -> String {
    let width = diagnoses.map(\.target.name.count).max() ?? 0
    return diagnoses.reduce(into: style.bold("Summary") + "\n") { text, diagnosis in
      let verdict = padded(diagnosis.verdict.rawValue, 15)
      let shown = diagnosis.verdict == .passes ? style.green(verdict) : style.red(verdict)
      let reason = diagnosis.obstacle?.title ?? diagnosis.rows.first?.objections.first?.refusal.title ?? ""
      text +=
        "  \(padded(diagnosis.target.name, width))  \(padded("\(diagnosis.os)", 6))  \(shown)  \(reason)".trimmed + "\n"
    }
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}

extension String {
  /// Without spaces at its end.
  fileprivate var trimmed: String {
    var text = self
    while text.last == " " { text.removeLast() }
    return text
  }
}
