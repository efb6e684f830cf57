import Configuration
import Names
import Policy
import TLS

/// Looks at one origin, with as few handshakes as the questions permit.
struct Examination {
  let target: DiagnosisTarget
  let setup: DiagnosticSetup
  let network: DiagnosticNetwork
  /// What the origin answered so far.
  private(set) var book = OfferBook()
  var place: HostPort { HostPort(host: target.host, port: target.port) }

  init(_ target: DiagnosisTarget, _ setup: DiagnosticSetup, _ network: DiagnosticNetwork) {
    self.target = target
    self.setup = setup
    self.network = network
  }

  /// One diagnosis for each OS.
  mutating func run() async -> [HostDiagnosis] {
    let (target, setup, network) = (target, setup, network)
    async let plain = Self.plainSighting(target, port: target.plainPort, setup, network)
    for offer in offers { await learn(offer) }
    if book.widest == nil, let widest = widestOffer, book.entries.contains(where: \.sighting.leavesQuestions) {
      await learn(widest.adding(ATSRequirements.foreignSuites + Self.foreignSuites))
      if book.widest == nil { await learnLegacy() }
    }
    let trail = await redirects()
    let http = await speaksNoTLS ? Self.plainSighting(target, port: target.port, setup, network) : plain
    return setup.systems.enumerated().map { index, os in
      var diagnosis = HostDiagnosis(target: target, os: os)
      if let obstacle = book.obstacle {
        diagnosis.obstacle = obstacle
        return diagnosis
      }
      fill(&diagnosis, index)
      diagnosis.redirects = trail
      diagnosis.plainHTTP = plainHTTP(http, os)
      return diagnosis
    }
  }

  // MARK: handshakes

  /// More of what origins speak and no system of Apple's does, all with forward secrecy: one that lacks it is told by what it does not
  /// take. The library passes over those that it was built without.
  private static let foreignSuites = [
    "ECDHE-ECDSA-CAMELLIA256-SHA384", "ECDHE-RSA-CAMELLIA256-SHA384", "ECDHE-ECDSA-CAMELLIA128-SHA256",
    "ECDHE-RSA-CAMELLIA128-SHA256", "ECDHE-ECDSA-AES256-CCM", "ECDHE-ECDSA-AES128-CCM", "ECDHE-ECDSA-AES256-CCM8",
    "ECDHE-ECDSA-AES128-CCM8", "ECDHE-ARIA256-GCM-SHA384", "ECDHE-ARIA128-GCM-SHA256", "DHE-RSA-CAMELLIA256-SHA",
    "DHE-RSA-CAMELLIA128-SHA", "DHE-RSA-CHACHA20-POLY1305", "ECDHE-ECDSA-DES-CBC3-SHA", "ECDHE-RSA-DES-CBC3-SHA",
    "ECDHE-ECDSA-RC4-SHA", "ECDHE-RSA-RC4-SHA",
  ]

  /// Everything that has to be offered for any question: first what the system offers without an exception, then the most that it ever
  /// offers, from which most of the rest follows.
  private var offers: [HandshakeOffer] {
    var rows: [HandshakeOffer] = []
    var others: [HandshakeOffer] = []
    for (index, os) in setup.systems.enumerated() {
      let judge = RowJudge(host: target.host, port: target.port, os: os)
      rows += DiagnosticRow.all(for: target.exceptionKey).map { judge.offer(under: $0.dictionary) }
      others += [configuredRequirements(index), appRequirements(index)].compactMap { $0 }.map { HandshakeOffer($0) }
    }
    let rest = (rows + others).sorted { one, other in
      (one.minimum.rawValue, -one.suites.count) < (other.minimum.rawValue, -other.suites.count)
    }
    return Array(rows.prefix(1)) + rest
  }

  private var widestOffer: HandshakeOffer? {
    setup.systems.first.map {
      HandshakeOffer(minimum: .v10, maximum: .v13, suites: ATSRequirements.unrestricted(os: $0).cipherSuites)
    }
  }

  /// Asks the origin unless the answer is known. The first request of a diagnosis goes to the origin that shows itself first.
  private mutating func learn(_ offer: HandshakeOffer) async {
    guard book.answer(to: offer) == nil else { return }
    let isFirst = !book.entries.contains { $0.sighting.negotiated != nil }
    let request: Errand.Request = isFirst ? .always(target.pathAndQuery) : .ifAskedForCertificate(target.pathAndQuery)
    guard var errand = setup.errand(to: place, offer: offer, request: request) else { return }
    var sighting = await network.run(errand)
    // no_application_protocol (RFC 7301): it wants HTTP/2, which is not spoken here.
    if case .handshake(.alert(120)) = sighting.failure {
      errand.protocols = ["h2"]
      errand.request = .none
      sighting = await network.run(errand)
    }
    book.note(sighting, for: offer)
  }

  /// Looks for suites that the library does not have.
  private mutating func learnLegacy() async {
    guard var errand = setup.errand(to: place, offer: nil, request: .none) else { return }
    errand.hello = LegacyHello.bytes(for: target.host)
    book.legacy = await network.run(errand).legacy
  }

  /// Where TLS was expected nobody speaks it: whoever listens there may speak HTTP.
  private var speaksNoTLS: Bool {
    book.entries.contains {
      if case .noTLS = $0.sighting.failure { true } else { false }
    }
  }

  private static func plainSighting(
    _ target: DiagnosisTarget, port: UInt16, _ setup: DiagnosticSetup, _ network: DiagnosticNetwork
  ) async -> Sighting? {
    let place = HostPort(host: target.host, port: port)
    guard let errand = setup.errand(to: place, offer: nil, request: .always(target.pathAndQuery)) else { return nil }
    return await network.run(errand)
  }

  // MARK: findings

  private func configuredRequirements(_ index: Int) -> OriginRequirements? {
    guard setup.configurations.indices.contains(index) else { return nil }
    return setup.configurations[index].defaultLane.policy.requirements(
      host: target.host, port: target.port, context: .app)
  }

  private func appRequirements(_ index: Int) -> OriginRequirements? {
    guard setup.policies.indices.contains(index) else { return nil }
    let ats = setup.policies[index].policy
    return OriginRequirements(
      host: target.host, port: target.port, atsMode: .enforce, os: ats.os,
      ats: ats.requirements(host: target.host, context: .app), pinned: ats.pinnedDomains.identities(for: target.host))
  }

  private func fill(_ diagnosis: inout HostDiagnosis, _ index: Int) {
    let judge = RowJudge(host: target.host, port: target.port, os: diagnosis.os)
    diagnosis.rows = DiagnosticRow.all(for: target.exceptionKey).map { row in
      RowResult(row: row, objections: judge.objections(to: book, under: row.dictionary) ?? [.unknown(target.host)])
    }
    diagnosis.smallest = smallest(judge)
    diagnosis.handshakes = book.entries.map { HandshakeNote($0.offer, $0.sighting) }
    if let best = book.best, let facts = best.facts {
      diagnosis.peer = summary(of: best, facts)
      let location = best.certificates.last?.issuerLocations ?? []
      diagnosis.chain = ChainInspection(facts, locations: location).problems
    }
    if let requirements = configuredRequirements(index) {
      diagnosis.configured = PolicyVerdict(
        source: setup.main?.file ?? "built-in defaults",
        objections: RowJudge.objections(to: book, under: requirements) ?? [.unknown(target.host)], change: [])
    }
    diagnosis.policy = policy(index, smallest: diagnosis.smallest)
  }

  private func smallest(_ judge: RowJudge) -> PropertyValue? {
    let empty = PropertyValue.dictionary([:])
    if judge.objections(to: book, under: empty)?.isEmpty == true { return empty }
    return ATSException.bySize.lazy.map { $0.dictionary(for: target.exceptionKey) }
      .first { judge.objections(to: book, under: $0)?.isEmpty == true }
  }

  private func policy(_ index: Int, smallest: PropertyValue?) -> PolicyVerdict? {
    guard let requirements = appRequirements(index) else { return nil }
    let app = setup.policies[index]
    let objections = RowJudge.objections(to: book, under: requirements) ?? [.unknown(target.host)]
    // Where pins object no exception helps.
    let isForATS = objections.first.map { $0.secureTransport != nil } ?? false
    let entry = smallest?[ExceptionKey.domains]?[target.exceptionKey]
    return PolicyVerdict(
      source: app.file, objections: objections,
      change: isForATS ? DictionaryChange(app.policy.dictionary, key: target.exceptionKey, entry: entry).lines : [])
  }

  private func summary(of sighting: Sighting, _ facts: PeerFacts) -> PeerSummary {
    let answered = book.entries.lazy.map(\.sighting).first { $0.response != nil || $0.responseFault != nil }
    var proxy: String?
    if case .through(let way)? = setup.errand(to: place, offer: nil, request: .none)?.route { proxy = "\(way)" }
    return PeerSummary(
      address: sighting.address ?? "", proxy: proxy, facts: facts, certificates: sighting.certificates,
      clientCertificate: book.entries.lazy.compactMap(\.sighting.clientCertificate).first,
      status: answered?.response?.status, silence: answered?.responseFault)
  }

  private func plainHTTP(_ sighting: Sighting?, _ os: OSVersion) -> PlainHTTP? {
    guard let sighting else { return nil }
    let verdict = ATSPolicy(os: os).cleartext(host: target.host, context: .app)
    let number = speaksNoTLS ? target.port : target.plainPort
    let port = number == 80 ? "" : ":\(number)"
    var silence = sighting.responseFault
    if case .unreachable(let refusal) = sighting.failure { silence = refusal.detail }
    return PlainHTTP(
      url: "http://\(target.host.bracketed)\(port)\(target.pathAndQuery)", status: sighting.response?.status,
      location: sighting.response?.location, silence: silence,
      objection: verdict.isPermitted ? nil : .cleartext(HostPort(host: target.host, port: number), verdict.reason))
  }
}
