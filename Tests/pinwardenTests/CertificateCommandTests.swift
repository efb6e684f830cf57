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

  @Test func everyIdentityIsTakenOver() async throws {
    try await withFolder { folder in
      let (one, other) = (try DemoCertificates(name: "root"), try DemoCertificates(name: "other"))
      let entries = [try one.client("Alice"), try other.client("Bob")].map { identity in
        PKCS12Contents.Entry(
          identity: Identity(
            name: identity.name, leaf: identity.leaf, chain: [identity.name == "Bob" ? other.root : one.root],
            key: identity.key), friendlyName: "Mr \(identity.name)", localKeyID: nil)
      }
      try OutputFile.create("\(folder)/in.p12", try PKCS12.write(entries, passphrase: Array("secret".utf8)))
      try OutputFile.create("\(folder)/phrase", Array("secret\n".utf8))
      func rewrap(_ words: String...) async -> ExitCode {
        await Program.run((["identity", "rewrap", "--passphrase-file=\(folder)/phrase"] + words)[...])
      }
      func held(_ file: String) throws -> [PKCS12Contents.Entry] {
        try PKCS12.load(
          InputFile.read("\(folder)/\(file)"), passphrase: Array("secret".utf8), allowUnauthenticated: false
        ).entries
      }
      #expect(await rewrap("\(folder)/in.p12", "\(folder)/out.p12") == .success)
      #expect(try held("out.p12").map(\.friendlyName) == ["Mr Alice", "Mr Bob"])
      #expect(try held("out.p12").map(\.identity.chain) == [[one.root], [other.root]])
      #expect(await rewrap("--name", "Mr Bob", "\(folder)/in.p12", "\(folder)/bob.p12") == .success)
      #expect(try held("bob.p12").map(\.identity.leaf.commonName) == ["Bob"])
      #expect(await rewrap("--name", "Bob", "\(folder)/in.p12", "\(folder)/no.p12") == .unreadable)
      let before = try InputFile.read("\(folder)/in.p12")
      #expect(await rewrap("\(folder)/in.p12", "\(folder)/in.p12") == .cannotCreate)
      #expect(try InputFile.read("\(folder)/in.p12") == before)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).allSatisfy { !$0.hasSuffix(".new") })
    }
  }

  @Test func weaknessesAreSaidInWords() throws {
    let identity = try DemoCertificates(name: "root").client("Alice")
    let bytes = try PKCS12.write(identity, friendlyName: nil, passphrase: [0x78])
    let contents = try PKCS12.load(bytes, passphrase: [0x78], allowUnauthenticated: false)
    #expect(contents.mac == PKCS12Contents.MAC(algorithm: "SHA-256", rounds: 100_000))
    #expect(contents.fewestRounds == 100_000)
    let now = Int64(Date().timeIntervalSince1970)
    let fresh = IdentityWeaknesses(contents, now: now - 86_400 / 2)
    #expect(fresh.file.isEmpty && fresh.entries.count == 1)
    #expect(fresh.entries[0].count == 1 && fresh.entries[0][0].contains("issuer is not in the file"))
    #expect(IdentityWeaknesses(contents, now: now + 86_400).entries[0][0].contains("expires on"))
    #expect(IdentityWeaknesses(contents, now: now + 60 * 86_400).entries[0][0].contains("expired on"))
    #expect(IdentityWeaknesses(contents, now: now - 60 * 86_400).entries[0][0].contains("not valid before"))
    let old = PKCS12Contents(
      entries: contents.entries, protections: ["RC2-40", "3DES", "none"],
      mac: PKCS12Contents.MAC(algorithm: "SHA-1", rounds: 1), fewestRounds: 2_048)
    let words = IdentityWeaknesses(old, now: now).file
    #expect(words.count == 5 && words[0].contains("40 bits") && words[2].contains("lies open"))
    #expect(words[3].contains("2048 rounds") && words[4].contains("SHA-1"))
    let bare = PKCS12Contents(entries: contents.entries, protections: [], mac: nil, fewestRounds: nil)
    #expect(IdentityWeaknesses(bare, now: now).file == ["without a MAC nothing proves that the file is whole"])
  }

  @Test func identityReportNamesWhatIsInside() throws {
    let identity = try DemoCertificates(name: "root").client("Alice")
    let bytes = try PKCS12.write(identity, friendlyName: "Corp", passphrase: [0x78])
    let contents = try PKCS12.load(bytes, passphrase: [0x78], allowUnauthenticated: false)
    let text = IdentityReport(file: "f.p12", contents: contents, now: 0).text(.plain)
    for word in ["Corp", "Alice", "root", "AES-256", "EC 256"] { #expect(text.contains(word), "\(word) in \(text)") }
  }

  @Test func pinsComeInAllSpellings() throws {
    let report = CertificateReport(try DemoCertificates(name: "root").server("a.test").leaf)
    #expect(report.digest.count == 44)
    for spelling in [
      "sha256/\(report.digest)", "sha256//\(report.digest)", "SPKI-SHA256-BASE64", "kTSKPublicKeyHashes",
      "<pin digest=\"SHA-256\">\(report.digest)</pin>",
    ] {
      #expect(report.text(.plain).contains(spelling))
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
