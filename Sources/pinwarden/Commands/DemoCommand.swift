import Foundation
import Records

extension Command {
  static let demo = Command(
    "demo", "a tour of the verdicts, without network and set-up", options: [.format],
    details: """
      Starts origins on loopback and a real proxy in front of them, sends requests through it as a device would, and shows what \
      came of each. Leaves nothing behind. Exit code 0 when each came out as it should.
      """
  ) { arguments throws(CommandFault) in
    let outcomes = try await tour()
    let isAsExpected = outcomes.allSatisfy(\.isAsExpected)
    if arguments.wantsJSON {
      try Output.writeJSON { json in
        json.beginArray()
        for outcome in outcomes { outcome.write(to: &json) }
        json.endArray()
      }
    } else {
      try Output.write(text(of: outcomes, .standardOutput))
    }
    return isAsExpected ? .success : .negative
  }

  private static func tour() async throws(CommandFault) -> [DemoOutcome] {
    let folder = FileManager.default.temporaryDirectory.appending(path: "pinwarden-demo-\(UUID().uuidString)").path()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
      let demo = try Demo(folder: folder)
      let outcomes = await demo.outcomes()
      await demo.end()
      return outcomes
    } catch let fault as CommandFault {
      throw fault
    } catch {
      throw .failed(.internalFault, "the demo could not start: \((error as? DemoFault)?.text ?? "\(error)")")
    }
  }

  static func text(of outcomes: [DemoOutcome], _ style: TextStyle) -> String {
    var table = TextTable()
    table.add("", "case", "request", "should be", "is")
    for outcome in outcomes {
      table.add(
        painted: PaintedText(outcome.isAsExpected ? "ok" : "NO", outcome.isAsExpected ? .good : .bad),
        PaintedText(outcome.example.title), PaintedText(outcome.example.url),
        PaintedText(answer(outcome.example.expectation.status, outcome.example.expectation.code)),
        PaintedText(answer(outcome.status, outcome.code), outcome.isAsExpected ? .plain : .bad))
    }
    let reasons = outcomes.filter { $0.code != nil || !$0.isAsExpected }.reduce(into: "") { text, outcome in
      text += style.wrapped("\(outcome.example.title): \(PlainText.oneLine(outcome.detail))", indent: "  ")
    }
    let count = outcomes.count { !$0.isAsExpected }
    let conclusion = count == 0 ? "Each came out as it should." : "\(count) did not come out as they should."
    return table.text(style: style) + "\n" + reasons + "\n"
      + style.wrapped(conclusion, paint: count == 0 ? .good : .bad)
  }

  private static func answer(_ status: Int?, _ code: Int?) -> String {
    guard let status else { return "no answer" }
    return code.map { "\(status), \($0)" } ?? "\(status)"
  }
}

extension DemoOutcome {
  /// `{ case, url, expected: {status, code}, status, code, detail, passed }`.
  fileprivate func write(to json: inout JSONText) {
    json.beginObject()
    json.string("case", example.title)
    json.string("url", example.url)
    json.beginObject("expected")
    json.integer("status", example.expectation.status)
    if let code = example.expectation.code { json.integer("code", code) } else { json.null("code") }
    json.endObject()
    if let status { json.integer("status", status) } else { json.null("status") }
    if let code { json.integer("code", code) } else { json.null("code") }
    json.string("detail", detail)
    json.boolean("passed", isAsExpected)
    json.endObject()
  }
}
