import Foundation
import Names
import Policy
import Testing

@testable import Configuration

/// `imports`: formats, what is read, and what is said of mistakes.
@Suite struct ImportTests {
  private static let first = "r/mIkG3eEpVdm+u/ko/cwxzOMo1bk4TyHIlByibiA5E="
  private static let second = "WoiWRyIOVNa9ihaBciRSC7XHjliYS9VwUGOIud4PB18="

  /// Loads a configuration beside files.
  /// - Parameter entry: the only element of `imports`.
  private func load(_ files: [String: String], _ entry: String) throws -> LoadResult {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("pinwarden-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for (name, text) in files {
      let path = URL(fileURLWithPath: "\(folder)/\(name)")
      try FileManager.default.createDirectory(at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: path)
    }
    return ConfigurationLoader.load(
      source: SourceText(name: "test.json5", bytes: Array("{ imports: [\(entry)] }".utf8)), file: "test.json5",
      folder: folder, overrides: CommandLineOverrides(), environment: ["HOME": "/home/tester"], now: Fixtures.now)
  }

  private func policies(_ text: String, _ entry: String = "'f'") throws -> [ImportedPolicy] {
    let result = try load(["f": text], entry)
    return try #require(result.configuration, "\(result.said(.error))").defaultLane.policy.imports
  }

  private func demand(_ text: String, _ host: String, _ entry: String = "'f'") throws -> ImportDemand? {
    try policies(text, entry).first?.demand(host: try Host(host), port: 443)
  }

  private static func pins(_ texts: String...) -> ImportDemand.Keys {
    .chain(Set(texts.compactMap { Pin(base64: $0) }))
  }

  // MARK: formats

  @Test(
    arguments: [
      ("<plist><dict><key>TSKPinnedDomains</key><dict/></dict></plist>", "TSKPinnedDomains"),
      ("<plist><dict/></plist>", "has no pins"),
      ("{ \"NSAppTransportSecurity\": {} }", "has no pins"),
      ("<html/>", "root is `html`"),
      ("", "cannot be told"),
      ("hello world", "cannot be told"),
      ("[1]", "an object with a list of pins"),
      ("{ \"a.test\": 1 }", "a list of pins"),
      ("{ \"a.test\": [1] }", "text in quotes"),
      ("{ \"a.test\": [\"sha256/x\"] ", "no `}`"),
      ("a.test sha256/AAAA", "is no pin"),
      ("a.test sha1/AAAAAAAAAAAAAAAAAAAAAAAAAAA=", "SHA-1"),
      ("a.*.test sha256/\(first)", "no pattern of OkHttp"),
      ("* sha256/\(first)", "no pattern of OkHttp"),
      ("a.test:443 sha256/\(first)", "no pattern of OkHttp"),
      ("a.test sha256/\(first)\nb.test", "has no pin"),
      ("a.test sha256/\(first)\nb.test sha256//\(first)", "curl's spelling"),
      ("sha256//\(first)", "no host"),
      ("a.test sha256//\(first);x", "no pin of curl"),
      ("a.test sha256//\(first)\na.test", "no pins"),
      ("a.test pin-sha256=\"\(first)\"", "the backup"),
      ("a.test pin-sha256=\"x\"; pin-sha256=\"\(first)\"", "32 bytes"),
      ("/ pin-sha256=\"\(first)\"", "begin with a host"),
      (
        "a.test pin-sha256=\"\(first)\"; pin-sha256=\"\(second)\"\na.test pin-sha256=\"\(first)\"; pin-sha256=\"\(second)\"",
        "named twice"
      ),
      ("-----BEGIN CERTIFICATE-----", "name no hosts"),
    ])
  func whatCannotBeUsed(_ text: String, _ words: String) throws {
    let result = try load(["f": text], "'f'")
    #expect(result.configuration == nil && result.said(.error).contains(words), "\(result.said(.error))")
  }

  @Test func theFormatMustFit() throws {
    let list = "a.test sha256/\(Self.first)"
    #expect(try load(["f": list], "{ file: 'f', format: 'trustkit' }").said(.error).contains("is not of the format"))
    #expect(
      try load(["f": "<network-security-config/>"], "{ file: 'f', format: 'curl' }").said(.error)
        .contains("`network-security-config`"))
    #expect(try load(["f": list], "{ file: 'f', format: 'pem' }").said(.error).contains("none of the allowed values"))
    #expect(try load(["f": list], "{ file: 'f', hosts: ['a.test'] }").said(.error).contains("names its hosts itself"))
    #expect(try load([:], "'missing.xml'").said(.error).contains("missing.xml"))
    #expect(try load(["d/x": ""], "{ file: 'd', format: 'curl' }").said(.error).contains("is a folder"))
  }

  @Test func aFileTooLargeIsRefused() throws {
    let text = String(repeating: "#", count: ImportReader.maximumByteCount + 1)
    #expect(try load(["f": text], "'f'").said(.error).contains("larger than"))
  }

  @Test func anInfoPlistMayHoldTwoFormats() throws {
    let text = """
      { "NSAppTransportSecurity": { "NSPinnedDomains": { "a.test": { "NSPinnedCAIdentities": [{ "SPKI-SHA256-BASE64": "\(Self.first)" }] } } },
        "TSKConfiguration": { "TSKPinnedDomains": { "example.com": { "TSKPublicKeyHashes": ["\(Self.first)", "\(Self.second)"] } } } }
      """
    #expect(try policies(text).map(\.source.description) == ["f: trustkit", "f: nspinneddomains"])
    #expect(try policies(text, "{ file: 'f', format: 'nspinneddomains' }").map(\.source.format) == [.pinnedDomains])
    #expect(try load(["f": text], "'f'").said(.note).contains("NSAppTransportSecurity.NSPinnedDomains.a.test"))
  }

  @Test func findingsAboutPropertyListsHaveTheirKeyPath() throws {
    let text = "{ TSKPinnedDomains: { 'example.com': { TSKPublicKeyHashes: ['\(Self.first)'] } } }"
    let finding = try #require(try load(["t.plist": text], "'t.plist'").findings(.error).first)
    #expect(finding.file.hasSuffix("/t.plist") && finding.keyPath == "TSKPinnedDomains.example.com.TSKPublicKeyHashes")
  }

  // MARK: lists

  @Test func listsOfOkHttp() throws {
    let text = """
      # names
      **.a.test  sha256/\(Self.first), sha256/\(Self.second)   // both
      \tb.test sha256/\(Self.first)\r
      """
    let found = try demand(text, "x.y.a.test")
    #expect(found?.keys == Self.pins(Self.first, Self.second) && found?.source.format == .okHttp)
    #expect(try demand(text, "b.test")?.keys == Self.pins(Self.first))
    #expect(try load(["f": text], "'f'").findings(.note).map(\.line) == [3])
    let json = "/* names */ { '**.a.test': ['sha256/\(Self.first)', 'sha256/\(Self.second)'] }"
    #expect(try demand(json, "a.test")?.keys == Self.pins(Self.first, Self.second))
  }

  @Test func listsOfCurl() throws {
    let text = "a.test sha256//\(Self.first);sha256//\(Self.second)"
    let pins = Set([Self.first, Self.second].compactMap { Pin(base64: $0) })
    #expect(try demand(text, "a.test")?.keys == .leaf(pins))
    let bare = "sha256//\(Self.first); sha256//\(Self.second)"
    let entry = "{ file: 'f', hosts: ['**.b.test'] }"
    #expect(try demand(bare, "x.b.test", entry)?.keys == .leaf(pins))
    #expect(try demand(bare, "a.test", entry) == nil)
  }

  @Test func noticesOfRFC7469() throws {
    let text = """
      a.test Public-Key-Pins: pin-sha256="\(Self.first)"; pin-sha256="\(Self.second)"; max-age=10; includeSubDomains
      b.test Public-Key-Pins-Report-Only: pin-sha256="\(Self.first)"; report-uri="https://r.test/"
      c.test max-age=0
      """
    let found = try demand(text, "x.a.test")
    #expect(found?.keys == Self.pins(Self.first, Self.second) && found?.enforce == true && found?.entry == "a.test")
    #expect(try demand(text, "b.test")?.enforce == false && demand(text, "c.test") == nil)
  }

  @Test func certificatesWantHosts() throws {
    let pem = try String(contentsOfFile: "\(Fixtures.folder)/client.pem", encoding: .utf8)
    let other = try String(contentsOfFile: "\(Fixtures.folder)/root.pem", encoding: .utf8)
    let files = ["certs/one.pem": pem, "certs/two.crt": other, "certs/readme.txt": "x"]
    let result = try load(files, "{ file: 'certs', hosts: ['**.a.test'] }")
    let found = try #require(result.configuration?.defaultLane.policy.imports.first)
    #expect(found.demand(host: try Host("x.a.test"), port: 443)?.pinCount == 2)
    #expect(found.source.description == "certs: certificates")
    #expect(try load(files, "'certs'").said(.error).contains("hosts: ["))
    #expect(try load(["f": pem], "{ file: 'f', hosts: ['a.test'] }").said(.note).contains("no backup"))
  }

  // MARK: where reports go

  @Test func reportsGoToEncryptedAddresses() throws {
    func said(_ uri: String) -> String {
      Tests.load("{ trust: { t: { pins: ['sha256/\(Self.first)'], reportURIs: ['\(uri)'] } } }").said(.error)
    }
    #expect(
      said("https://r.test/x").isEmpty && said("http://127.0.0.1:8/").isEmpty && said("http://localhost/").isEmpty)
    #expect(said("http://r.test/").contains("`https` is expected"))
    #expect(said("wss://r.test/").contains("`https` is expected") && said("r.test").contains("not allowed here"))
  }
}

/// The loader of `Loading.swift`, which a method of the suite hides.
private enum Tests {
  static func load(_ text: String) -> LoadResult { ConfigurationTests.load(text) }
}
