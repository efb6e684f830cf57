import Configuration
import Diagnosis
import Foundation
import Names
import Policy
import TLS
import Testing

@testable import pinwarden

/// Certificates of one authority in files, and configurations that pin some of them.
@Suite struct RehearsalTests {
  private static let day: Int64 = 86_400
  private static let now: Int64 = 2_000_000_000

  private let folder: String
  private let root: Certificate
  private let rootKey: PrivateKey

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "pinwarden-\(UUID().uuidString)").path()
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    rootKey = try PrivateKey.generate(.p256)
    root = try CertificateDraft(
      commonName: "root", role: .authority(pathLength: nil), keyUsage: [.certificateSigning],
      notBefore: Self.now - 1_000 * Self.day, notAfter: Self.now + 1_000 * Self.day
    ).selfSigned(with: rootKey)
    try write("root.pem", root.pem)
  }

  private func write(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: URL(filePath: "\(folder)/\(name)"))
  }

  /// A leaf with a key of its own, in a file of this name; days are counted from now.
  private func leaf(_ name: String, for host: String = "a.example.com", days: ClosedRange<Int64>) throws -> Certificate
  {
    let leaf = try CertificateDraft(
      commonName: host, alternativeNames: [.dns(host), .dns("*.\(host)")], role: .leaf, keyUsage: [.digitalSignature],
      purposes: [.serverAuthentication], notBefore: Self.now + days.lowerBound * Self.day,
      notAfter: Self.now + days.upperBound * Self.day
    ).signed(for: try PrivateKey.generate(.p256), by: root, rootKey)
    try write("\(name).pem", leaf.pem + root.pem)
    return leaf
  }

  private func digest(_ certificate: Certificate) -> String { Data(certificate.spkiDigest).base64EncodedString() }

  private func rehearse(_ configuration: String, _ old: Certificate, _ new: Certificate) throws -> Rehearsal {
    let result = ConfigurationLoader.load(
      text: configuration, folder: folder, environment: ["HOME": "/nowhere"])
    let replacement = try #require(
      CertificateReplacement(oldName: "old.pem", old: [old, root], newName: "new.pem", new: [new]))
    return Rehearsal(
      try #require(result.configuration, "\(result.findings)"), replacements: [replacement], now: Self.now)
  }

  private func summary(_ host: RehearsedHost) -> [String] {
    host.places.map { "\($0.isAccepted ? "ok" : "NO") \($0.place.name)\($0.isBackup ? " backup" : "")" }
  }

  @Test func `each place is asked, and what it needs is told`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let (old, new) = (try leaf("old", days: -60...30), try leaf("new", days: -1...300))
    try write("pins.okhttp", "a.example.com sha256/\(digest(old)) sha256/\(digest(new))\n")
    try write("curl.pins", "a.example.com sha256//\(digest(old))\n")
    let rehearsal = try rehearse(
      """
      { upstream: { anchors: "root.pem" },
        ats: { dictionary: { NSPinnedDomains: { "a.example.com": { NSPinnedCAIdentities: [{ "SPKI-SHA256-BASE64": "\(digest(root))" }] } } } },
        trust: { t: { pins: ["sha256/\(digest(old))"] } }, rules: { hosts: [{ host: "a.example.com", trust: "t" }] },
        imports: ["pins.okhttp", { file: "curl.pins", format: "curl" }] }
      """, old, new)
    let host = try #require(rehearsal.hosts.first { $0.host.text == "a.example.com" })
    #expect(
      summary(host) == [
        "ok certificate trust", "NO trust.t", "ok NSPinnedDomains", "ok pins.okhttp: okhttp backup",
        "NO curl.pins: curl",
      ])
    #expect(!rehearsal.isAccepted && host.new.isEmpty && host.both.isEmpty)
    #expect(host.old == [TimeWindow(from: Self.now, until: Self.now + 30 * Self.day + 1)])
    #expect(host.places[1].change == ["in trust.t.pins:", "\"sha256/\(digest(new))\""])
    #expect(host.places[4].change == ["in the list of --pinnedpubkey:", "sha256//\(digest(new))"])
    #expect(rehearsal.replacements[0].borrowsIssuers)
    // The wildcard of the certificate stands for what nothing pins.
    let other = try #require(rehearsal.hosts.first { $0.host.text == "www.a.example.com" })
    #expect(other.isAccepted)
    let text = RehearsalReport(rehearsal: rehearsal, style: .plain).text
    #expect(text.split(separator: "\n").allSatisfy { String($0).columnCount <= 80 }, "\(text)")
    #expect(text.contains("REFUSES new.pem") && text.contains("1 of 2 hosts would refuse"))
  }

  @Test func `a certificate of tomorrow is accepted from tomorrow on, and pins that expire let go`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let (old, new) = (try leaf("old", days: -60...30), try leaf("new", days: 10...300))
    let rehearsal = try rehearse(
      #"{ upstream: { anchors: "root.pem" }, rules: { hosts: [{ host: "a.example.com" }] } }"#, old, new)
    let host = try #require(rehearsal.hosts.first)
    #expect(rehearsal.isAccepted && host.places.count == 1)
    let end = Self.now + 300 * Self.day + 1
    #expect(host.new == [TimeWindow(from: Self.now + 10 * Self.day, until: end)])
    #expect(host.both == [TimeWindow(from: Self.now + 10 * Self.day, until: Self.now + 30 * Self.day + 1)])

    let expiring = try rehearse(
      """
      { upstream: { anchors: "root.pem" }, trust: { t: { pins: ["sha256/\(digest(old))"], expires: "2033-06-01T00:00:00Z" } },
        rules: { hosts: [{ host: "a.example.com", trust: "t" }] } }
      """, old, new)
    let pinned = try #require(expiring.hosts.first { $0.host.text == "a.example.com" })
    // Accepted one day, but not when the certificate is meant to be used.
    #expect(!pinned.isAccepted && pinned.new.count == 1 && pinned.new[0].from > Self.now + 10 * Self.day)
  }

  @Test func `certificates that nobody trusts are refused whatever is pinned`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let old = try leaf("old", days: -60...30)
    let stranger = try DemoCertificates(name: "stranger").server("a.example.com").leaf
    let rehearsal = try rehearse(
      """
      { upstream: { anchors: "root.pem" }, trust: { t: { pins: ["sha256/\(digest(stranger))"] } },
        rules: { hosts: [{ host: "a.example.com", trust: "t" }] } }
      """, old, stranger)
    let host = try #require(rehearsal.hosts.first { $0.host.text == "a.example.com" })
    #expect(summary(host) == ["NO certificate trust", "ok trust.t backup"] && !host.isAccepted)
  }

  @Test func `lanes that say the same are told together`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let (old, new) = (try leaf("old", days: -60...30), try leaf("new", days: -1...300))
    let rehearsal = try rehearse(
      """
      { upstream: { anchors: "root.pem" }, rules: { hosts: [{ host: "a.example.com" }] },
        lanes: { one: { users: ["u"] } } }
      """, old, new)
    #expect(rehearsal.hosts.map(\.lanes) == [["default", "one"], ["default", "one"]])
  }

  @Test func `codes tell what came of it`() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let moment = Int64(Date().timeIntervalSince1970)
    _ = try leaf("old", days: (moment - Self.now) / Self.day - 9...(moment - Self.now) / Self.day + 9)
    try write("c.json5", #"{ upstream: { anchors: "root.pem" } }"#)
    func run(_ replacement: String) async -> ExitCode {
      await Program.run(["pins", "rehearse", "--config", "\(folder)/c.json5", "--replace", replacement])
    }
    #expect(await run("\(folder)/old.pem=\(folder)/none.pem") == .unreadable)
    #expect(await run("\(folder)/old.pem") == .usage)
    #expect(await Program.run(["pins", "rehearse"]) == .usage)
    #expect(await Program.run(["pins", "none.pem"]) == .unreadable)
    #expect(await Program.run(["pins", "a b"]) == .unreadable)
  }
}

@Suite struct TimeWindowTests {
  @Test func `windows are what lies between changes`() {
    let holds: Set<Int64> = [1, 5, 30]
    #expect(
      TimeWindow.spans(over: [1, 5, 20, 30], where: holds.contains)
        == [TimeWindow(from: 1, until: 20), TimeWindow(from: 30, until: nil)])
    #expect(TimeWindow.spans(over: [1, 5]) { _ in false }.isEmpty)
    #expect(
      TimeWindow.intersection([TimeWindow(from: 1, until: 9)], [TimeWindow(from: 5, until: nil)])
        == [TimeWindow(from: 5, until: 9)])
    #expect(TimeWindow.intersection([TimeWindow(from: 1, until: 5)], [TimeWindow(from: 5, until: 9)]).isEmpty)
  }
}
