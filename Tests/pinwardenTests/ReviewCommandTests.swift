import Diagnosis
import Foundation
import Names
import Policy
import Records
import Testing

@testable import pinwarden

@Suite struct ReviewCommandTests {
  private let folder: String

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "pinwarden-\(UUID().uuidString)").path()
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
  }

  private struct Recorded {
    var url: (scheme: String, host: String)
    var status: Int? = 200
    var tls: ExchangeRecord.TLS?
    var pins: [String] = []
    var failure: ExchangeRecord.Failure?
    var ats = ATSVerdict(outcome: .pass)
  }

  /// A state directory in which exchanges were recorded.
  private func record(_ exchanges: [Recorded]) {
    let history = ExchangeHistory(
      HistorySettings(directory: folder, byteCount: 1 << 20, exchangeCount: 1_000)
    ) { _ in }
    history.submit(
      exchanges.enumerated().map { number, exchange in
        var record = ExchangeRecord(
          started: 1_772_323_200_000 + Int64(number), ended: 1_772_323_201_000, identifier: UInt64(number),
          lane: "default", client: "127.0.0.1:1", context: .app, clientProtocol: "h2", method: "GET",
          url: RecordURL(scheme: exchange.url.scheme, authority: exchange.url.host, path: Array("/".utf8)[...]),
          status: exchange.status, action: exchange.failure == nil ? .intercept : .deny, decidedBy: .default, rule: nil,
          ats: exchange.ats, os: "18.4")
        record.origin = ExchangeRecord.Origin(
          address: "127.0.0.1:1", isReused: false, tls: exchange.tls, pins: exchange.pins, matchedPin: nil,
          identity: nil)
        record.failure = exchange.failure
        return RecordedExchange(record: record, request: nil, response: nil)
      })
    history.close(milliseconds: 10_000)
  }

  private static let tls13 = ExchangeRecord.TLS(
    version: "TLSv1.3", cipher: "TLS_AES_128_GCM_SHA256", alpn: "h2", isResumed: false)

  private static let exchanges = [
    Recorded(url: ("http", "used.test")), Recorded(url: ("http", "used.test")),
    Recorded(url: ("https", "good.test"), tls: tls13),
    Recorded(
      url: ("https", "old.test"),
      tls: ExchangeRecord.TLS(version: "TLSv1.1", cipher: "ECDHE-RSA-AES128-SHA", alpn: nil, isResumed: true)),
    Recorded(
      url: ("http", "ads.example.com"), status: 403,
      failure: ExchangeRecord.Failure(
        error: .appTransportSecurityRequiresSecureConnection, proxyStatus: .httpRequestDenied, detail: "no"),
      ats: ATSVerdict(outcome: .fail, violations: ["cleartext"])),
  ]

  private static let list = """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0"><dict><key>NSAppTransportSecurity</key><dict><key>NSExceptionDomains</key><dict>
    <key>used.test</key><dict><key>NSExceptionAllowsInsecureHTTPLoads</key><true/></dict>
    <key>unused.test</key><dict><key>NSExceptionAllowsInsecureHTTPLoads</key><true/></dict>
    <key>old.test</key><dict><key>NSExceptionMinimumTLSVersion</key><string>TLSv1.0</string></dict>
    </dict></dict></dict></plist>
    """

  private func report(_ style: TextStyle) throws -> String {
    let app = try AppPropertyListSample.read(Self.list)
    let traffic = try RecordedTraffic(try HistorySource.reader(folder))
    let review = Review(
      policy: ATSPolicy(dictionary: app, os: OSVersion(major: 18, minor: 4)), traffic: traffic,
      own: OwnHosts(dictionary: app, bundleIdentifier: nil))
    return ReviewReport(review: review, file: "Info.plist", misplacedKey: nil, style: style).text
  }

  @Test func `the report says what the records say`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    record(Self.exchanges)
    let text = try report(.plain)
    #expect(text == Self.golden, "\(text)")
    #expect(text.split(separator: "\n").allSatisfy { String($0).columnCount <= 80 })
    #expect(try report(TextStyle(width: 80, colours: .ansi)).contains("\u{1B}[33m"))
  }

  @Test func `codes tell what came of it`() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let file = "\(folder)/Info.plist"
    func run(_ words: String...) async -> ExitCode { await Program.run((["review"] + words)[...]) }
    try Data(Self.list.utf8).write(to: URL(filePath: file))
    #expect(await run(file) == .negative)
    #expect(await run(file, "--store", folder) == .unreadable, "there is no history")
    record(Self.exchanges)
    for format in ["text", "json", "plist", "xml"] {
      #expect(await run(file, "--store", folder, "--format", format) == .negative)
    }
    #expect(await run(file, "--format", "plist") == .usage)
    #expect(await run(file, "--os", "x") == .usage)
    #expect(await run(file, "--own", "a b") == .usage)
    #expect(await run("\(folder)/none.plist") == .unreadable)
    try Data("{}".utf8).write(to: URL(filePath: file))
    #expect(await run(file, "--store", folder) == .success)
    for junk in ["junk", "[]", #"{"NSAppTransportSecurity": 1}"#] {
      try Data(junk.utf8).write(to: URL(filePath: file))
      #expect(await run(file) == .unreadable, "\(junk)")
    }
  }

  private static let golden = """
    App Review report on Info.plist
    Rules of OS 18.4. 5 exchanges with 4 hosts, 2026-03-01 to 2026-03-01.

    3 keys need a justification at App Review
      NSExceptionMinimumTLSVersion of old.test
        It permits versions of TLS that are known to be weak.
        Write: The app connects to old.test, which our own team runs on software
        that speaks no TLS 1.2 (1 request recorded, the last on 2026-03-01). It is
        to be replaced by <date>.
      NSExceptionAllowsInsecureHTTPLoads of unused.test
        It permits plain HTTP, which anybody on the way can read and change.
        Take it away: no recorded request needed it.
      NSExceptionAllowsInsecureHTTPLoads of used.test
        It permits plain HTTP, which anybody on the way can read and change.
        Write: The app loads <what> from used.test, which our own team offers over
        plain HTTP only (2 requests recorded, the last on 2026-03-01). It carries no
        personal data: <why>. We expect https by <date>.

    Not used by anything that was recorded
      NSExceptionAllowsInsecureHTTPLoads of unused.test

    Hosts that need an exception
      ads.example.com (third party, 1 exchange)
        plain HTTP: is not permitted
      old.test (own, 1 exchange)
        TLS older than 1.2: passes by NSExceptionMinimumTLSVersion of old.test
        More was offered than full App Transport Security offers, and the origin
          chose this; `pinwarden diagnose` tells whether it can do better.
      used.test (own, 2 exchanges)
        plain HTTP: passes by NSExceptionAllowsInsecureHTTPLoads of used.test
    1 host passed without any exception.

    Third parties that are still spoken to in plain HTTP
      ads.example.com, last on 2026-03-01

    What is not permitted was refused, and stays so in the dictionary below;
    --with-refused lets it pass there.

    What the file really says
      note: NSExceptionDomains.old.test.NSExceptionMinimumTLSVersion: App Review
        asks for a justification of NSExceptionMinimumTLSVersion below TLSv1.2, and
        OS 26 no longer accepts TLSv1.0; enable TLSv1.2 at the origin
      note: NSExceptionDomains.unused.test: App Review asks for a justification of
        NSExceptionAllowsInsecureHTTPLoads for unused.test
      note: NSExceptionDomains.used.test: App Review asks for a justification of
        NSExceptionAllowsInsecureHTTPLoads for used.test

    The smallest dictionary that lets pass what was recorded
    <key>NSAppTransportSecurity</key>
    <dict>
    \t<key>NSExceptionDomains</key>
    \t<dict>
    \t\t<key>old.test</key>
    \t\t<dict>
    \t\t\t<key>NSExceptionMinimumTLSVersion</key>
    \t\t\t<string>TLSv1.1</string>
    \t\t</dict>
    \t\t<key>used.test</key>
    \t\t<dict>
    \t\t\t<key>NSExceptionAllowsInsecureHTTPLoads</key>
    \t\t\t<true/>
    \t\t</dict>
    \t</dict>
    </dict>

    """
}
