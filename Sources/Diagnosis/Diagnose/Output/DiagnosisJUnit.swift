import Policy

/// Diagnoses as JUnit's XML, which servers for continuous integration read: a suite for each host and OS, a case for each row.
///
/// A suite fails where its host needs an exception: the first row, and the app's own policy where one was given, are failures. The other
/// rows that fail are skipped cases, since an origin is not at fault for not speaking TLS 1.0 or 1.3.
public enum DiagnosisJUnit {
  public static func text(_ diagnoses: [HostDiagnosis]) -> String {
    let suites = diagnoses.map { suite($0) }
    let cases = suites.flatMap(\.cases)
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"pinwarden diagnose\"\(counts(cases))>\n"
      + suites.map(\.text).joined() + "</testsuites>\n"
  }

  private struct Case {
    enum Outcome { case passed, failure, error, skipped }

    let name: String
    let outcome: Outcome
    let message: String
    let detail: String
  }

  private struct Suite {
    let name: String
    let cases: [Case]

    var text: String {
      "  <testsuite name=\"\(attribute(name))\"\(counts(cases))>\n"
        + cases.map { DiagnosisJUnit.text($0, className: name) }.joined() + "  </testsuite>\n"
    }
  }

  private static func suite(_ diagnosis: HostDiagnosis) -> Suite {
    let name = "\(diagnosis.target.name) (OS \(diagnosis.os))"
    if let obstacle = diagnosis.obstacle {
      return Suite(
        name: name,
        cases: [
          Case(name: "Reachable", outcome: .error, message: obstacle.title, detail: obstacle.detail)
        ])
    }
    var cases = diagnosis.rows.enumerated().map { index, result in
      testCase(result.row.name, result.objections, failing: index == 0 ? .failure : .skipped)
    }
    if let policy = diagnosis.policy { cases.append(testCase(policy.source, policy.objections, failing: .failure)) }
    return Suite(name: name, cases: cases)
  }

  private static func testCase(_ name: String, _ objections: [Objection], failing: Case.Outcome) -> Case {
    guard let first = objections.first else { return Case(name: name, outcome: .passed, message: "", detail: "") }
    let code = first.refusal.error.map { "\($0.code) " } ?? ""
    return Case(
      name: name, outcome: failing, message: "\(code)\(first.name): \(first.refusal.title)",
      detail: objections.map { "\($0.name): \($0.refusal.detail)" }.joined(separator: "\n"))
  }

  private static func counts(_ cases: [Case]) -> String {
    func count(_ outcome: Case.Outcome) -> Int { cases.count { $0.outcome == outcome } }
    return
      " tests=\"\(cases.count)\" failures=\"\(count(.failure))\" errors=\"\(count(.error))\" skipped=\"\(count(.skipped))\""
      + " time=\"0\""
  }

  private static func text(_ testCase: Case, className: String) -> String {
    let head = "    <testcase name=\"\(attribute(testCase.name))\" classname=\"\(attribute(className))\" time=\"0\""
    let message = " message=\"\(attribute(testCase.message))\""
    switch testCase.outcome {
    case .passed: return head + "/>\n"
    case .skipped: return "\(head)>\n      <skipped\(message)/>\n    </testcase>\n"
    case .failure, .error:
      let tag = testCase.outcome == .failure ? "failure" : "error"
      return
        "\(head)>\n      <\(tag)\(message) type=\"\(tag)\">\(attribute(testCase.detail))</\(tag)>\n    </testcase>\n"
    }
  }

  /// Without the characters that XML 1.0 does not have.
  private static func attribute(_ text: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { TerminalText.safe(String($0)) }
    return DictionaryText.escaped(lines.joined(separator: "\n"))
  }
}
