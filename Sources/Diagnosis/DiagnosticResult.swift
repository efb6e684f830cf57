/// How one row of a diagnosis came out, as `nscurl --ats-diagnostics` writes it.
public enum DiagnosticResult: String, Sendable {
  case pass = "PASS"
  case fail = "FAIL"
}
