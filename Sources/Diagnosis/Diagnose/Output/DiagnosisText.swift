import Names
import Policy
import TLS

/// A diagnosis as `nscurl --ats-diagnostics` writes it (spec B.2), and what that does not tell: reasons, facts, and what to do.
public struct DiagnosisText {
  let diagnosis: HostDiagnosis
  let style: DiagnosisStyle
  let isVerbose: Bool
  private static let rule = String(repeating: "=", count: TerminalText.width)

  /// How much of each row is shown.
  public enum Detail: Sendable {
    case brief
    /// Dictionaries and errors too, as `nscurl --verbose` has them.
    case verbose
  }

  public init(_ diagnosis: HostDiagnosis, detail: Detail = .brief, style: DiagnosisStyle = .plain) {
    self.diagnosis = diagnosis
    self.style = style
    isVerbose = detail == .verbose
  }

  public var text: String {
    var lines = opening
    if let obstacle = diagnosis.obstacle {
      lines += ["", style.red("The origin cannot be reached.")]
      lines += TerminalText.wrapped(obstacle.detail, lead: "  ")
    } else {
      lines += rows + summary
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private var opening: [String] {
    [
      style.bold("Starting ATS Diagnostics"), "",
      "Configuring ATS Info.plist keys and displaying the result of HTTPS loads to \(diagnosis.target.url).",
      "A test will \"PASS\" if the rules of OS \(diagnosis.os) let the load pass.",
    ] + (isVerbose ? [] : ["Use '--verbose' to view the ATS dictionaries used and the error of each test."])
      + [Self.rule]
  }

  private var rows: [String] {
    var lines: [String] = []
    var section: String?
    var told: Set<String> = []
    for result in diagnosis.rows {
      if result.row.section != section {
        if section != nil { lines += ["", Self.rule] }
        lines += ["", style.bold(result.row.section), "---"]
        section = result.row.section
      }
      lines += self.lines(of: result, told: &told)
    }
    return lines + ["", Self.rule]
  }

  /// - Parameter told: the reasons that stand above.
  private func lines(of result: RowResult, told: inout Set<String>) -> [String] {
    var lines = [result.row.name]
    if isVerbose { lines += ["ATS Dictionary:"] + DictionaryText.lines(result.row.dictionary).map(TerminalText.safe) }
    lines.append("Result : " + (result.result == .pass ? style.green("PASS") : style.red("FAIL")))
    if isVerbose, let first = result.objections.first {
      lines += TerminalText.wrapped(Self.errorText(first), lead: "Error : ")
    }
    for objection in result.objections.prefix(isVerbose ? .max : 1) {
      let isNew = told.insert(objection.refusal.detail).inserted
      lines += TerminalText.wrapped(
        "\(objection.name)" + (isNew ? ": \(objection.refusal.detail)" : " (as above)"), lead: "Reason : ")
    }
    return lines + ["---"]
  }

  /// As the description of an NSError, without what only a device knows.
  static func errorText(_ objection: Objection) -> String {
    guard let error = objection.refusal.error else { return objection.refusal.title }
    let below = objection.secureTransport.map { " UserInfo={_kCFStreamErrorCodeKey=\($0.code)}" } ?? ""
    return "Error Domain=\(NSURLError.domain) Code=\(error.code) \"\(objection.refusal.title)\"\(below)"
  }

  // MARK: what nscurl does not tell

  private var summary: [String] {
    Self.joined([conclusion, smallest, plainHTTP, peer, chain, redirects, policies, pins])
  }

  private static func joined(_ parts: [[String]]) -> [String] {
    parts.filter { !$0.isEmpty }.flatMap { [""] + $0 }
  }

  /// One host under the rules of several OS versions: a table, what each of them asks for, and the facts, which are the same for all.
  public static func matrix(_ diagnoses: [HostDiagnosis], style: DiagnosisStyle = .plain) -> String {
    let texts = diagnoses.map { DiagnosisText($0, style: style) }
    guard let first = texts.first, first.diagnosis.obstacle == nil else { return texts.first?.text ?? "" }
    var lines = [DiagnosisTable.matrix(diagnoses, style: style)]
    for text in texts {
      lines +=
        [style.bold("OS \(text.diagnosis.os)")] + joined([text.conclusion, text.smallest, text.policies]).dropFirst()
      lines.append("")
    }
    lines += joined([first.plainHTTP, first.peer, first.chain, first.redirects, first.pins]).dropFirst()
    return lines.joined(separator: "\n") + "\n"
  }
}
