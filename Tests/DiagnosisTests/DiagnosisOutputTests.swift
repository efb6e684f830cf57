import Bytes
import Foundation
import Records
import Testing

@testable import Diagnosis

/// What is printed, to the letter.
@Suite struct DiagnosisOutputTests {
  private func json(_ body: (inout JSONText) -> Void) -> String {
    let out = ByteQueue()
    var json = JSONText(into: out)
    body(&json)
    return String(decoding: out.bytes, as: UTF8.self)
  }

  /// With `PINWARDEN_GOLDEN` in the environment what was printed is written to that folder: a change on purpose is taken over from there.
  private func expect(_ text: String, equals golden: String, _ name: String) {
    if let folder = ProcessInfo.processInfo.environment["PINWARDEN_GOLDEN"] {
      try? text.write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
    }
    #expect(text == golden)
  }

  @Test func text() throws {
    expect(DiagnosisText(try SampleFacts.diagnosis()).text, equals: Golden.text, "text")
  }

  @Test func verboseText() throws {
    expect(DiagnosisText(try SampleFacts.diagnosis(), detail: .verbose).text, equals: Golden.verbose, "verbose")
  }

  @Test func matrix() throws {
    let diagnosis = try SampleFacts.diagnosis()
    expect(DiagnosisText.matrix([diagnosis, diagnosis]), equals: Golden.matrix, "matrix")
  }

  @Test func jsonObject() throws {
    let diagnosis = try SampleFacts.diagnosis()
    expect(json { DiagnosisJSON.write(diagnosis, to: &$0) }, equals: Golden.json, "json")
  }

  @Test func jUnit() throws {
    expect(DiagnosisJUnit.text([try SampleFacts.diagnosis()]), equals: Golden.jUnit, "junit")
  }

  @Test func sarif() throws {
    let diagnosis = try SampleFacts.diagnosis()
    expect(
      json { DiagnosisSARIF.write([diagnosis, diagnosis], version: "1.2.3", to: &$0) }, equals: Golden.sarif, "sarif")
  }

  @Test func summary() throws {
    #expect(
      DiagnosisTable.summary([try SampleFacts.diagnosis()], style: .plain)
        == """
        Summary
          a.test  18.4    needs-exception  App Transport Security refuses a cipher suite without forward secrecy

        """)
  }
}
