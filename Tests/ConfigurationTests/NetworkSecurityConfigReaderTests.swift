import Foundation
import Names
import Policy
import Testing

@testable import Configuration

/// Android's files: what is read, what Android rejects, and what an XML file must not do.
@Suite struct NetworkSecurityConfigReaderTests {
  private static let pin = "r/mIkG3eEpVdm+u/ko/cwxzOMo1bk4TyHIlByibiA5E="

  private func read(
    _ inner: String, debug: Bool = false, zone: String = "UTC", now: Int64 = Fixtures.now
  ) throws -> (config: NetworkSecurityConfig?, findings: [Finding]) {
    let root = try MarkupReader.read(Array("<network-security-config>\(inner)</network-security-config>".utf8))
    var reader = NetworkSecurityConfigReader(
      targetSDK: 34, isDebuggable: debug, now: now, timeZone: try #require(TimeZone(identifier: zone)),
      resolve: { _ in nil })
    let config = reader.read(root)
    return (config, reader.findings)
  }

  @Test func everythingThatIsRead() throws {
    let result = try read(
      """
      <base-config cleartextTrafficPermitted="false"><trust-anchors><certificates src="system"/></trust-anchors></base-config>
      <domain-config cleartextTrafficPermitted="true">
        <domain includeSubdomains="true"> Example.COM </domain><domain>b.test</domain>
        <pin-set expiration="2030-01-31"><pin digest="SHA-256"> \(Self.pin) </pin><pin digest="SHA-256"><![CDATA[WoiWRyIOVNa9ihaBciRSC7XHjliYS9VwUGOIud4PB18=]]></pin></pin-set>
        <domain-config><domain>a.example.com</domain><trust-anchors><certificates src="user" overridePins="true"/></trust-anchors></domain-config>
      </domain-config>
      """)
    #expect(result.findings.isEmpty)
    let config = try #require(result.config)
    let outer = config.effective(for: try Host("x.example.com"))
    #expect(
      outer.permitsCleartext && outer.domain == NetworkSecurityConfig.Domain("example.com", includesSubdomains: true))
    #expect(outer.pins?.pins.count == 2 && outer.pins?.expires == 1_896_048_000)
    #expect(outer.anchors == [TrustAnchorSource(.system)])
    #expect(config.effective(for: try Host("b.test")).pins == outer.pins)
    let inner = config.effective(for: try Host("a.example.com"))
    #expect(inner.anchors == [TrustAnchorSource(.user, overridesPins: true)] && inner.pins == outer.pins)
    #expect(try !config.effective(for: Host("c.test")).permitsCleartext)
  }

  @Test func theDayOfExpiryBeginsWhereTheDeviceIs() throws {
    func expires(_ zone: String, _ day: String = "2030-01-31") throws -> Int64? {
      try read(
        "<domain-config><domain>a.test</domain><pin-set expiration=\"\(day)\"><pin digest=\"SHA-256\">\(Self.pin)</pin></pin-set></domain-config>",
        zone: zone
      ).config?.effective(for: Host("a.test")).pins?.expires
    }
    #expect(try expires("UTC") == 1_896_048_000)
    #expect(try expires("Asia/Tokyo") == 1_896_048_000 - 9 * 3600)
    #expect(try expires("America/New_York") == 1_896_048_000 + 5 * 3600)
    #expect(try expires("UTC", "2030-1-31") == 1_896_048_000)
    for wrong in ["2030-02-30", "2030-13-01", "2030", "x-y-z", "2030-01-31x", "--"] {
      #expect(try expires("UTC", wrong) == nil, "\(wrong)")
    }
  }

  /// AOSP's parser throws for each of these.
  @Test(arguments: [
    ("<base-config/><base-config/>", "only one `base-config`"),
    ("<debug-overrides/><debug-overrides/>", "only one `debug-overrides`"),
    ("<domain-config/>", "without `domain`"),
    ("<base-config><domain>a.test</domain></base-config>", "no `domain` in `base-config`"),
    ("<base-config><pin-set/></base-config>", "no `pin-set` in `base-config`"),
    ("<base-config><domain-config/></base-config>", "no `domain-config` in `base-config`"),
    ("<domain-config><domain>a.test</domain><domain>A.test</domain></domain-config>", "given twice"),
    (
      "<domain-config><domain>a.test</domain></domain-config><domain-config><domain>a.test</domain></domain-config>",
      "given twice"
    ),
    ("<domain-config><domain> </domain></domain-config>", "empty"),
    ("<domain-config><domain>a.test</domain><pin-set/><pin-set/></domain-config>", "only one `pin-set`"),
    ("<base-config><trust-anchors/><trust-anchors/></base-config>", "only one `trust-anchors`"),
    ("<base-config><trust-anchors><certificates src='browser'/></trust-anchors></base-config>", "`browser`"),
    ("<base-config><trust-anchors><certificates/></trust-anchors></base-config>", "found nothing"),
    ("<base-config><trust-anchors><certificates src='@raw/ca'/></trust-anchors></base-config>", "is not there"),
    ("<base-config cleartextTrafficPermitted='maybe'/>", "neither true nor false"),
    ("<domain-config><domain includeSubdomains='1'>a.test</domain></domain-config>", "neither true nor false"),
    ("<domain-config><domain>a.test</domain><pin-set><pin>x</pin></pin-set></domain-config>", "digest=\"SHA-256\""),
    (
      "<domain-config><domain>a.test</domain><pin-set><pin digest='SHA-1'>x</pin></pin-set></domain-config>", "`SHA-1`"
    ),
    (
      "<domain-config><domain>a.test</domain><pin-set><pin digest='SHA-256'>AAAA</pin></pin-set></domain-config>",
      "32 bytes"
    ),
  ])
  func whatAndroidRejects(_ inner: String, _ words: String) throws {
    let result = try read(inner)
    #expect(result.config == nil)
    #expect(result.findings.contains { $0.level == .error && $0.message.contains(words) }, "\(result.findings)")
    #expect(result.findings.allSatisfy { $0.line == 1 })
  }

  @Test(
    arguments: [
      ("<domain-config><domain>*.a.test</domain></domain-config>", .warning, "no wildcards"),
      ("<domain-config><domain>a.test.</domain></domain-config>", .warning, "never matches"),
      ("<domain-config><domain>a.test:8443</domain></domain-config>", .warning, "never matches"),
      ("<debug-overrides><pin-set/></debug-overrides>", .note, "debug: true"),
      ("<base-config hstsEnforced='true'/>", .note, "hstsEnforced"),
      ("<base-config><certificateTransparency enabled='true'/></base-config>", .warning, "not imported"),
      ("<base-config><trust-anchors/></base-config>", .warning, "no origin is trusted"),
      ("<base-config><pins/></base-config>", .warning, "not known"),
      ("<domain-config><domain>a.test</domain><pin-set/></domain-config>", .warning, "nothing is pinned"),
      (
        "<domain-config><domain>a.test</domain><pin-set><pin digest='SHA-256'>\(pin)</pin></pin-set></domain-config>",
        .note, "no backup"
      ),
      (
        "<domain-config><domain>a.test</domain><pin-set expiration='2020-01-01'><pin digest='SHA-256'>\(pin)</pin></pin-set></domain-config>",
        .warning, "expired"
      ),
    ] as [(String, Finding.Level, String)])
  func whatIsOnlySaid(_ inner: String, _ level: Finding.Level, _ words: String) throws {
    let result = try read(inner)
    #expect(result.config != nil && result.findings.map(\.level) == [level], "\(result.findings)")
    #expect(result.findings.first?.message.contains(words) == true, "\(result.findings)")
  }

  @Test func overridesCountForDebuggableApplications() throws {
    let inner = "<debug-overrides><trust-anchors><certificates src='user'/></trust-anchors></debug-overrides>"
    let debug = try #require(try read(inner, debug: true).config)
    #expect(
      try debug.effective(for: Host("a.test")).anchors
        == [TrustAnchorSource(.system), TrustAnchorSource(.user, overridesPins: true)])
    #expect(try read(inner).config?.effective(for: Host("a.test")).anchors == [TrustAnchorSource(.system)])
    #expect(try read("<debug-overrides><pin-set/></debug-overrides>", debug: true).config == nil)
  }

  @Test func rawResourcesStandBesideTheFile() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("pinwarden-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let pem = try Data(contentsOf: URL(fileURLWithPath: "\(Fixtures.folder)/root.pem"))
    for name in ["xml", "raw"] {
      try FileManager.default.createDirectory(at: folder.appending(path: name), withIntermediateDirectories: true)
    }
    try pem.write(to: folder.appending(path: "raw/my_ca.pem"))
    try pem.write(to: folder.appending(path: "xml/beside.crt"))
    func said(_ source: String) throws -> String {
      let text =
        "<network-security-config><base-config><trust-anchors><certificates src='\(source)'/></trust-anchors></base-config></network-security-config>"
      let file = folder.appending(path: "xml/n.xml")
      try Data(text.utf8).write(to: file)
      return load("{ imports: ['\(file.path)'] }").said(.error)
    }
    #expect(try said("@raw/my_ca").isEmpty && said("@raw/beside").isEmpty && said("@com.example:raw/my_ca").isEmpty)
    for wrong in ["@raw/other", "@raw/../raw/my_ca", "@raw/", "@xml/n"] {
      #expect(try !said(wrong).isEmpty, "\(wrong)")
    }
  }

  // MARK: XML

  @Test(arguments: [
    "<!DOCTYPE a [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><network-security-config>&x;</network-security-config>",
    "<!DOCTYPE a [<!ENTITY x \"aaaaaaaaaa\"><!ENTITY y \"&x;&x;&x;&x;\">]><network-security-config>&y;</network-security-config>",
    "<!doctype a SYSTEM \"http://127.0.0.1:1/a.dtd\"><network-security-config/>",
    "<?xml version=\"1.0\" encoding=\"UTF-7\"?><network-security-config/>",
    "<?xml version=\"1.0\" encoding='IBM037'?><network-security-config/>",
    "<network-security-config>&unknown;</network-security-config>",
    "<network-security-config>", "<network-security-config a='1' a='2'/>", "</network-security-config>",
    "<a/><network-security-config/>", "<network-security-config>\0</network-security-config>",
    String(repeating: "<a>", count: 65) + String(repeating: "</a>", count: 65),
    String(repeating: "<a>", count: 100_000),
  ])
  func documentsThatAreRefused(_ text: String) {
    #expect(throws: MarkupReader.Fault.self) { try MarkupReader.read(Array(text.utf8)) }
  }

  @Test func elementsHaveTheirPlaces() throws {
    let root = try MarkupReader.read(
      Array("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<a>\n  <b x=\"&lt;1\">t&amp;u</b>\n<c/></a>\n".utf8))
    #expect(root.name == "a" && root.line == 2 && root.children.map(\.line) == [3, 4])
    #expect(root.children.first?.text == "t&u" && root.children.first?.attributes == ["x": "<1"])
    do {
      _ = try MarkupReader.read(Array("<a>\n<b>\n</a>".utf8))
      Issue.record("an element without an end was read")
    } catch {
      #expect(error.line == 3, "\(error)")
    }
  }
}
