import Diagnosis
import Testing

@Suite struct DiagnosticResultTests {
  @Test func resultsAreSpeltAsNscurlDoes() {
    #expect([DiagnosticResult.pass, .fail].map(\.rawValue) == ["PASS", "FAIL"])
  }
}
