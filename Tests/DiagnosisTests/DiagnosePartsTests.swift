import Names
import Policy
import Testing

@testable import Diagnosis

/// The pure parts of `diagnose`.
@Suite struct DiagnosePartsTests {
  @Test(arguments: [
    ("a.test", "a.test", 443, 80, "/"), ("A.Test:8443", "a.test:8443", 8443, 80, "/"),
    ("https://a.test/x?y", "a.test", 443, 80, "/x?y"), ("a.test/x", "a.test", 443, 80, "/x"),
    ("http://a.test", "a.test", 443, 80, "/"), ("http://a.test:8080/", "a.test:8080", 8080, 8080, "/"),
    ("::1", "[::1]", 443, 80, "/"), ("[::1]:9", "[::1]:9", 9, 80, "/"), ("192.0.2.1", "192.0.2.1", 443, 80, "/"),
  ])
  func targetsAreRead(text: String, name: String, port: Int, plainPort: Int, path: String) throws {
    let target = try DiagnosisTarget(text)
    #expect(target.name == name)
    #expect((Int(target.port), Int(target.plainPort)) == (port, plainPort))
    #expect(target.pathAndQuery == path)
  }

  @Test(arguments: ["", "a b", "ftp://a.test/", "a.test:0", "https://u@a.test/", "a..test"])
  func whatIsNoTargetIsRefused(text: String) {
    #expect(throws: NameFault.self) { try DiagnosisTarget(text) }
  }

  @Test(arguments: [
    ("https://b.test/", "https://b.test/"), ("//b.test/y", "https://b.test/y"), ("/z", "https://a.test:8443/z"),
    ("w", "https://a.test:8443/x/w"), ("../v", "https://a.test:8443/v"), ("./u/", "https://a.test:8443/x/u/"),
    ("?q", "https://a.test:8443/x/y?q"), ("#f", "https://a.test:8443/x/y?p"), ("http://b.test", "http://b.test/"),
    ("/a/../../b", "https://a.test:8443/b"),
  ])
  func redirectsAreResolved(reference: String, url: String) throws {
    let base = try TargetURL("https://a.test:8443/x/y?p")
    #expect(RedirectTarget.resolve(reference, from: base)?.description == url)
  }

  @Test(arguments: [
    "mailto:x@a.test", "ws://a.test/", "https:///", "javascript:alert(1)", "https://u:p@a.test/", "/a b",
  ])
  func otherSchemesLeadNowhere(reference: String) throws {
    let base = try TargetURL("https://a.test/")
    #expect(RedirectTarget.resolve(reference, from: base) == nil)
  }

  @Test func theRowsAreThoseOfNscurl() {
    let rows = DiagnosticRow.all(for: "a.test")
    #expect(rows.count == 16)
    #expect(rows.prefix(3).map(\.name) == ["ATS Default Connection", "Allow All Loads", "TLSv1.3"])
    #expect(rows.last?.name == "TLSv1.0 with PFS disabled and insecure HTTP allowed")
    #expect(
      rows.last?.dictionary
        == .dictionary([
          "NSExceptionDomains": .dictionary([
            "a.test": .dictionary([
              "NSExceptionMinimumTLSVersion": .string("TLSv1.0"), "NSExceptionRequiresForwardSecrecy": .boolean(false),
              "NSExceptionAllowsInsecureHTTPLoads": .boolean(true),
            ])
          ])
        ]))
  }

  @Test func exceptionsAreTriedFromSmallToLarge() {
    let sizes = ATSException.bySize.map(\.members.count)
    #expect(sizes == sizes.sorted() && sizes.count == 11)
    #expect(
      ATSException.bySize.prefix(4) == [
        ATSException(withoutForwardSecrecy: true), ATSException(minimumTLS: "TLSv1.1"),
        ATSException(minimumTLS: "TLSv1.0"), ATSException(insecureHTTP: true),
      ])
  }

  // MARK: what follows from a handshake

  private static let good = ["ECDHE-RSA-AES128-GCM-SHA256"]
  private static let all = good + ["AES128-SHA"]

  private func offer(_ minimum: TLSVersion, _ suites: [String] = good, maximum: TLSVersion = .v13) -> HandshakeOffer {
    HandshakeOffer(minimum: minimum, maximum: maximum, suites: suites)
  }

  private func book(_ offer: HandshakeOffer, _ version: TLSVersion?, _ suite: String = "") -> OfferBook {
    var sighting = Sighting()
    if let version {
      sighting.facts = SampleFacts.good(version, suite)
    } else {
      sighting.failure = .handshake(.alert(40))
    }
    var book = OfferBook()
    book.note(sighting, for: offer)
    return book
  }

  @Test func theNewestVersionAnswersEverything() {
    let book = book(offer(.v12), .v13, "TLS_AES_128_GCM_SHA256")
    #expect(book.answer(to: offer(.v13))?.facts?.version == .v13)
    #expect(book.answer(to: offer(.v10, Self.all))?.facts?.version == .v13)
    #expect(book.answer(to: offer(.v12, maximum: .v12)) == nil)
  }

  @Test func anOlderVersionAnswersWhatHasTheSameSuites() {
    let book = book(offer(.v12), .v12, Self.good[0])
    #expect(book.answer(to: offer(.v10))?.facts?.version == .v12)
    #expect(book.answer(to: offer(.v12, Self.all)) == nil)
    guard case .handshake(.versionMismatch)? = book.answer(to: offer(.v13))?.failure else {
      Issue.record("an origin that chose TLS 1.2 speaks no TLS 1.3")
      return
    }
  }

  @Test func whatWasNotChosenMayBeTakenAway() {
    let book = book(offer(.v10, Self.all), .v11, "AES128-SHA")
    #expect(book.answer(to: offer(.v11, Self.all))?.facts?.version == .v11)
    #expect(book.answer(to: offer(.v11)) == nil)
  }

  @Test func whoTakesNoneOfMuchTakesNoneOfLess() {
    let book = book(offer(.v10, Self.all), nil)
    #expect(book.answer(to: offer(.v12))?.facts == nil)
    #expect(book.answer(to: offer(.v12)) != nil)
    #expect(book.answer(to: offer(.v10, Self.all + ["DHE-RSA-AES128-SHA"])) == nil)
  }

  @Test func otherSignaturesAreAnotherQuestion() {
    let book = book(offer(.v12), .v13, "TLS_AES_128_GCM_SHA256")
    let picky = HandshakeOffer(
      minimum: .v12, maximum: .v13, suites: Self.good, signatureAlgorithms: ["ecdsa_secp256r1_sha256"])
    #expect(book.answer(to: picky) == nil)
  }

  // MARK: suites of old

  private func serverHello(_ minor: UInt8, _ suite: [UInt8], session: Int = 32) -> [UInt8] {
    let body = [3, minor] + [UInt8](repeating: 9, count: 32) + [UInt8(session)] + [UInt8](repeating: 8, count: session)
    let message = [2, 0, 0, UInt8(body.count + 3)] + body + suite + [0]
    return [22, 3, minor, 0, UInt8(message.count)] + message
  }

  @Test func theAnswerToAnOldHelloIsRead() {
    let answer = LegacyHello.Answer(version: "TLSv1.0", suite: "TLS_RSA_WITH_3DES_EDE_CBC_SHA")
    #expect(LegacyHello.read(serverHello(1, [0, 0x0A])) == answer)
    #expect(LegacyHello.read(serverHello(1, [0, 0x0A], session: 0)) == answer)
    #expect(LegacyHello.read(serverHello(0, [0, 5]))?.version == "SSLv3")
    #expect(LegacyHello.read(serverHello(3, [0x13, 1])) == nil)
    #expect(LegacyHello.read([21, 3, 1, 0, 2, 2, 40]) == nil)
    let whole = serverHello(3, [0xC0, 0x11])
    for count in 0..<(whole.count - 1) { #expect(LegacyHello.read(Array(whole.prefix(count))) == nil) }
    #expect(LegacyHello.read(Array(whole.dropLast()))?.suite == "TLS_ECDHE_RSA_WITH_RC4_128_SHA")
  }

  @Test func theLengthsOfTheOldHelloAreRight() throws {
    for text in ["a.test", "192.0.2.1"] {
      let bytes = LegacyHello.bytes(for: try Host(text))
      #expect(Int(bytes[3]) << 8 | Int(bytes[4]) == bytes.count - 5)
      #expect(Int(bytes[6]) << 16 | Int(bytes[7]) << 8 | Int(bytes[8]) == bytes.count - 9)
      #expect((String(decoding: bytes, as: UTF8.self).contains("a.test")) == (text == "a.test"))
    }
  }

  // MARK: certificates

  @Test func aChainInOrderHasNoProblems() {
    #expect(ChainInspection(SampleFacts.good(.v13, "x")).problems == [])
  }

  @Test func publicCertificatesMayNotLiveLongAnyMore() {
    var facts = SampleFacts.good(.v13, "x")
    facts.evaluation.anchorIsSystem = true
    facts.evaluation.chain[0].notBefore = 1_773_532_800
    facts.evaluation.chain[0].notAfter = 1_773_532_800 + 300 * 86_400
    #expect(ChainInspection(facts).problems.map(\.kind) == [.lifetime])
    #expect(ChainInspection(facts).problems.map(\.level) == [.warning])
  }

  // MARK: text

  @Test func dictionariesReadAsNscurlPrintsThem() {
    let dictionary = ATSException(minimumTLS: "TLSv1.1", withoutForwardSecrecy: true).dictionary(for: "a.test")
    #expect(
      DictionaryText.lines(dictionary) == [
        "{", "    NSExceptionDomains =     {", "        \"a.test\" =     {",
        "            NSExceptionMinimumTLSVersion = \"TLSv1.1\";",
        "            NSExceptionRequiresForwardSecrecy = false;",
        "        };", "    };", "}",
      ])
    #expect(DictionaryText.lines(.dictionary([:])) == ["{", "}"])
  }

  @Test func linesAreBroken() {
    let text = TerminalText.wrapped(String(repeating: "four ", count: 27), lead: "Reason : ")
    #expect(text.count == 2 && text.allSatisfy { $0.count <= 80 })
    #expect(text.first?.hasPrefix("Reason : four") == true && text.last?.hasPrefix("  four") == true)
  }

  @Test func namesDoNotSteerTheTerminal() {
    #expect(TerminalText.safe("a\u{1B}[2J\tb") == "a\u{FFFD}[2J\tb")
    #expect(DiagnosisStyle.plain.red("x") == "x")
    #expect(DiagnosisStyle.coloured.red("x") == "\u{1B}[31mx\u{1B}[0m")
  }

  @Test func markupIsEscaped() {
    #expect(
      DictionaryText.xml(.string("<&\">"), key: "a&b") == [
        "<key>a&amp;b</key>", "<string>&lt;&amp;&quot;&gt;</string>",
      ])
  }
}
