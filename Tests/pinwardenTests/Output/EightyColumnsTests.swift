import Configuration
import Diagnosis
import Names
import Policy
import TLS
import Testing

@testable import pinwarden

/// Every text for people fits into 80 columns; only what cannot be broken may be longer, and nothing here needs to be.
@Suite struct EightyColumnsTests {
  private func isNarrow(_ text: String, _ what: String) {
    for line in text.split(separator: "\n") where String(line).columnCount > 80 {
      Issue.record("\(what): \(line)")
    }
    #expect(!text.isEmpty && !text.contains("\u{1B}"), "\(what)")
  }

  @Test func help() {
    isNarrow(Program.help, "help")
    for command in Program.commands.flatMap({ [$0] + $0.subcommands }) { isNarrow(command.help, command.name) }
  }

  @Test func explanations() throws {
    let result = ConfigurationLoader.load(
      text: #"{ rules: { hosts: [{ host: "**.a.test", action: "reject" }] }, imports: [] }"#,
      environment: ["HOME": "/nowhere"])
    let explainer = Explainer(try #require(result.configuration), defaults: ExplainRequest(url: ""))
    for url in ["https://b.test/", "http://b.test/", "https://a.test/", "wss://日本.test/"] {
      isNarrow(try explainer.explain(ExplainRequest(url: url)).get().text(.plain), url)
    }
    let matrix = ExplainMatrix([explainer, explainer], contexts: Context.allCases)
    isNarrow(ExplainMatrix.text(of: try matrix.explain(ExplainRequest(url: "http://b.test/")).get(), .plain), "table")
  }

  @Test func certificatesAndIdentities() throws {
    let world = try DemoCertificates(name: "root")
    let server = try world.server("a.test", isExpired: true)
    isNarrow(CertificateReport(server.leaf).text(.plain), "pins")
    let bytes = try PKCS12.write(try world.client("Alice"), friendlyName: "Corp", passphrase: [0x78])
    let contents = try PKCS12.load(bytes, passphrase: [0x78], allowUnauthenticated: false)
    isNarrow(IdentityReport(file: "f.p12", contents: contents, now: 4_000_000_000).text(.plain), "identity")
  }

  @Test func demo() {
    let outcomes = DemoCase.all.map { example in
      DemoOutcome(
        example: example, status: 502, code: -1202, detail: String(repeating: "why it is so ", count: 12),
        isAsExpected: false)
    }
    isNarrow(Command.text(of: outcomes, .plain), "demo")
  }
}
