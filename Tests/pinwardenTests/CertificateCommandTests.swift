import Foundation
import TLS
import Testing

@testable import pinwarden

@Suite struct CertificateCommandTests {
  private func withFolder(_ body: (String) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "pinwarden-test-\(UUID().uuidString)").path()
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await body(folder)
  }

  private func mode(_ path: String) throws -> Int {
    try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
  }

  @Test func rewrappedIdentityIsTheSameForItsOwnerAlone() async throws {
    try await withFolder { folder in
      let identity = try DemoCertificates(name: "root").client("Alice")
      try OutputFile.create(
        "\(folder)/in.p12", try PKCS12.write(identity, friendlyName: "Corp", passphrase: Array("secret".utf8)))
      try OutputFile.create("\(folder)/phrase", Array("secret\r\nmore\n".utf8))
      let words = ["identity", "rewrap", "--passphrase-file=\(folder)/phrase", "\(folder)/in.p12", "\(folder)/out.p12"]
      #expect(await Program.run(words[...]) == .success)
      let bytes = try InputFile.read("\(folder)/out.p12")
      let entry = try #require(
        PKCS12.load(bytes, passphrase: Array("secret".utf8), allowUnauthenticated: false).entries.first)
      #expect(entry.identity.leaf == identity.leaf && entry.friendlyName == "Corp")
      #expect(try mode("\(folder)/out.p12") == 0o600)
      // It exists now, and is not overwritten.
      #expect(await Program.run(words[...]) == .cannotCreate)
      #expect(await Program.run(["identity", "inspect", "\(folder)/in.p12"]) == .unreadable)
      #expect(await Program.run(["identity", "inspect", "--passphrase-env", "NO_SUCH", "\(folder)/in.p12"]) == .usage)
    }
  }

  @Test func identityReportNamesWhatIsInside() throws {
    let identity = try DemoCertificates(name: "root").client("Alice")
    let bytes = try PKCS12.write(identity, friendlyName: "Corp", passphrase: [0x78])
    let contents = try PKCS12.load(bytes, passphrase: [0x78], allowUnauthenticated: false)
    let text = IdentityReport(file: "f.p12", contents: contents).text
    for word in ["Corp", "Alice", "root", "AES-256", "EC 256"] { #expect(text.contains(word), "\(word) in \(text)") }
  }

  @Test func pinsComeInAllSpellings() throws {
    let report = CertificateReport(try DemoCertificates(name: "root").server("a.test").leaf)
    #expect(report.digest.count == 44)
    for spelling in [
      "sha256/\(report.digest)", "sha256//\(report.digest)", "SPKI-SHA256-BASE64", "kTSKPublicKeyHashes",
      "<pin digest=\"SHA-256\">\(report.digest)</pin>",
    ] {
      #expect(report.text.contains(spelling))
    }
  }

  @Test func authorityIsMadeOnceAndRotatedOnDemand() async throws {
    try await withFolder { folder in
      let options = ["--config", "\(folder)/c.json5", "--state-directory", "\(folder)/state"]
      try OutputFile.create("\(folder)/c.json5", Array("{}".utf8))
      func certificate() throws -> [UInt8] { try InputFile.read("\(folder)/state/authority.pem") }
      #expect(await Program.run((["authority", "export"] + options)[...]) == .success)
      let first = try certificate()
      #expect(try mode("\(folder)/state/authority.key") == 0o600)
      #expect(await Program.run((["authority", "show", "--format=json"] + options)[...]) == .success)
      #expect(try certificate() == first)
      #expect(await Program.run((["authority", "rotate"] + options)[...]) == .success)
      #expect(try certificate() != first)
    }
  }
}

@Suite struct DemoTests {
  @Test func eachCaseComesOutAsItShould() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "pinwarden-test-\(UUID().uuidString)").path()
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let demo = try Demo(folder: folder)
    let outcomes = await demo.outcomes()
    await demo.end()
    #expect(outcomes.count == DemoCase.all.count)
    for outcome in outcomes {
      #expect(
        outcome.isAsExpected, "\(outcome.example.title): \(outcome.status ?? 0) \(outcome.code ?? 0) \(outcome.detail)")
    }
  }
}
