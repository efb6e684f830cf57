import Policy
import Testing

private typealias S = Samples

/// Certificate Transparency by Apple's policy (spec G.1 and the vectors 167 to 174).
struct TransparencyTests {
  private static let now = UInt64(S.now) * 1_000
  private static let dayInMilliseconds: UInt64 = 86_400_000

  private static func log(
    _ number: UInt8, by operatorName: String? = nil, _ state: TransparencyLog.State = .usable,
    _ interface: TransparencyLog.Interface = .rfc6962, interval: Range<Int64>? = nil, isForTests: Bool = false
  ) -> TransparencyLog {
    TransparencyLog(
      identifier: [UInt8](repeating: number, count: 32), description: "log \(number)",
      operatorName: operatorName ?? "operator \(number)", state: state, interface: interface, interval: interval,
      isForTests: isForTests)
  }

  private static func timestamp(
    _ number: UInt8, _ source: SignedTimestamp.Source = .certificate, age days: UInt64 = 20,
    _ signature: SignedTimestamp.Signature = .valid
  ) -> SignedTimestamp {
    SignedTimestamp(
      source: source, logID: [UInt8](repeating: number, count: 32), milliseconds: now - days * dayInMilliseconds,
      signature: signature)
  }

  private static func judge(
    _ timestamps: [SignedTimestamp], _ logs: [TransparencyLog] = [log(1), log(2), log(3), log(4)], days: Int64 = 90,
    issued: Int64? = nil, isSystem: Bool = true, published: Int64 = S.now - S.day
  ) throws -> TrustVerdict {
    let leaf = S.leaf.with {
      if let issued { $0.notBefore = issued }
      $0.notAfter = $0.notBefore + days * S.day
    }
    var facts = S.facts(S.evaluation([leaf, S.intermediate, S.root], isSystem: isSystem))
    facts.timestamps = timestamps
    if let issued { facts.now = max(facts.now, issued + 1) }
    let list = TransparencyLogList(logs, published: published)
    let policy = TrustPolicy(
      name: "t", transparency: TransparencyRequirement(logs: list, maximumAge: 70 * S.day))
    return try S.requirements(mode: .off, trust: policy).judge(facts)
  }

  private static func status(
    _ timestamps: [SignedTimestamp], _ logs: [TransparencyLog] = [log(1), log(2), log(3), log(4)], days: Int64 = 90,
    issued: Int64? = nil
  ) throws -> TransparencyVerdict.Status? {
    try judge(timestamps, logs, days: days, issued: issued).transparency?.status
  }

  // MARK: the vectors

  @Test func v167_twoEmbeddedOfDifferentLogs() throws {
    let verdict = try Self.judge([Self.timestamp(1), Self.timestamp(2)])
    #expect(verdict.isAccepted)
    #expect(
      verdict.transparency
        == TransparencyVerdict(
          status: .pass, count: 2,
          reason: "2 of 2 timestamps count: log 1 (operator 1), log 2 (operator 2)"))
  }

  @Test func v168_bothRetiredLater() throws {
    let logs = (1...2).map { Self.log($0, .retired(since: Self.now - Self.dayInMilliseconds)) }
    let verdict = try Self.judge([Self.timestamp(1), Self.timestamp(2)], logs)
    #expect(!verdict.isAccepted)
    #expect(verdict.transparency?.status == .fail)
    #expect(verdict.transparency?.reason.contains("one must be embedded from a log that is approved now") == true)
    #expect(try Self.status([Self.timestamp(1), Self.timestamp(2)], [logs[0], Self.log(2)]) == .pass)
  }

  @Test func v169_twoEmbeddedForALongerLife() throws {
    let two = [Self.timestamp(1), Self.timestamp(2)]
    #expect(try Self.status(two, days: 200) == .fail)
    #expect(try Self.status(two, days: 181) == .fail)
    #expect(try Self.status(two, days: 180) == .pass)
    #expect(try Self.status(two + [Self.timestamp(3)], days: 200) == .pass)
    #expect(try Self.status(two + [Self.timestamp(2)], days: 200) == .fail, "a log counts once")
  }

  @Test(arguments: [SignedTimestamp.Source.handshake, .staple])
  func v170_oneEmbeddedAndOneDelivered(_ source: SignedTimestamp.Source) throws {
    let delivered = Self.timestamp(2, source)
    #expect(try Self.status([Self.timestamp(1), delivered]) == .pass)
    #expect(try Self.status([Self.timestamp(1), delivered], days: 390) == .pass, "whatever the lifetime")
    #expect(try Self.status([Self.timestamp(1, source), delivered]) == .pass)
    #expect(try Self.status([delivered]) == .fail)
    #expect(try Self.status([Self.timestamp(2), delivered]) == .fail, "two of the same log are one")
    let retired = Self.log(1, .retired(since: Self.now))
    #expect(try Self.status([Self.timestamp(1), delivered], [retired, Self.log(2)]) == .fail)
    #expect(try Self.status([Self.timestamp(1, source), Self.timestamp(2)], [retired, Self.log(2)]) == .fail)
  }

  @Test func v171_timestampsOfTheFuture() throws {
    var late = Self.timestamp(2)
    late.milliseconds = Self.now + 1_000
    #expect(try Self.status([Self.timestamp(1), late]) == .fail)
    late.milliseconds = Self.now + 999
    #expect(try Self.status([Self.timestamp(1), late]) == .pass)
    late.milliseconds = .max
    let verdict = try Self.judge([Self.timestamp(1), late]).transparency
    #expect(verdict?.reason.contains("log 2 (operator 2): its time lies in the future") == true)
  }

  @Test func v172_certificatesOutsideOfTheShard() throws {
    let end = S.leaf.notBefore + 90 * S.day
    func status(_ interval: Range<Int64>) throws -> TransparencyVerdict.Status? {
      try Self.status([Self.timestamp(1), Self.timestamp(2)], [Self.log(1), Self.log(2, interval: interval)])
    }
    #expect(try status(end..<end + 1) == .pass)
    #expect(try status(end - 100..<end) == .fail)
    #expect(try status(end + 1..<end + 100) == .fail)
  }

  @Test func v173_issuedBeforeTheRule() throws {
    let before = try Self.judge([], issued: 1_539_561_600)
    #expect(before.isAccepted && before.transparency?.status == .exempt)
    #expect(before.transparency?.reason == "the certificate was issued before 2018-10-16")
    #expect(try Self.judge([], issued: 1_539_648_000).transparency?.status == .fail)
  }

  @Test func v174_aPrivateRoot() throws {
    let verdict = try Self.judge([], isSystem: false)
    #expect(verdict.isAccepted)
    #expect(verdict.transparency?.status == .exempt && verdict.transparency?.count == 0)
  }

  // MARK: states, operators, kinds

  @Test(
    arguments: [
      (.usable, true), (.qualified, true), (.pending, false), (.rejected, false),
      (.readOnly(since: now), true), (.readOnly(since: now - 20 * dayInMilliseconds), false),
      (.readOnly(since: now - 20 * dayInMilliseconds + 1), true),
      (.retired(since: now), true), (.retired(since: now - 20 * dayInMilliseconds), false),
    ] as [(TransparencyLog.State, Bool)])
  func states(_ state: TransparencyLog.State, _ counts: Bool) throws {
    let timestamps = [Self.timestamp(1), Self.timestamp(2)]
    #expect(try Self.status(timestamps, [Self.log(1), Self.log(2, state)]) == (counts ? .pass : .fail))
  }

  @Test func operators() throws {
    let logs = [Self.log(1, by: "A"), Self.log(2, by: "A"), Self.log(3, by: "B"), Self.log(4, by: "A")]
    func status(_ numbers: [UInt8], days: Int64) throws -> TransparencyVerdict.Status? {
      try Self.status(numbers.map { Self.timestamp($0) }, logs, days: days)
    }
    #expect(try status([1, 2], days: 90) == .fail)
    #expect(try status([1, 3], days: 90) == .pass)
    #expect(try status([1, 2, 4], days: 200) == .fail)
    #expect(try status([1, 2, 3], days: 200) == .pass)
  }

  @Test func aLogBelongsToWhoeverRanItThen() throws {
    var log = Self.log(2, by: "A")
    log.formerOperators = [TransparencyLog.FormerOperator(name: "B", end: Self.now - 10 * Self.dayInMilliseconds)]
    let logs = [Self.log(1, by: "A"), log]
    #expect(try Self.status([Self.timestamp(1), Self.timestamp(2, age: 20)], logs) == .pass)
    #expect(try Self.status([Self.timestamp(1), Self.timestamp(2, age: 5)], logs) == .fail)
  }

  @Test func oneEmbeddedMustBeOfAnRFC6962Log() throws {
    let timestamps = [Self.timestamp(1), Self.timestamp(2)]
    #expect(try Self.status(timestamps, [Self.log(1, .usable, .tiled), Self.log(2)]) == .pass)
    let tiled = [Self.log(1, .usable, .tiled), Self.log(2, .usable, .tiled)]
    #expect(try Self.status(timestamps, tiled) == .fail)
    #expect(try Self.status([Self.timestamp(1), Self.timestamp(2, .handshake)], tiled) == .pass)
  }

  @Test func whatDoesNotCount() throws {
    for signature in [SignedTimestamp.Signature.invalid, .unknownLog, .unchecked] {
      #expect(try Self.status([Self.timestamp(1), Self.timestamp(2, .certificate, age: 20, signature)]) == .fail)
    }
    #expect(try Self.status([Self.timestamp(1), Self.timestamp(9)]) == .fail)
    #expect(
      try Self.status([Self.timestamp(1), Self.timestamp(2)], [Self.log(1), Self.log(2, isForTests: true)]) == .fail)
    #expect(try Self.status([]) == .fail)
    #expect(try Self.judge([]).transparency?.reason.contains("the origin shows no timestamp") == true)
  }

  /// Months count for certificates issued before 2021-04-21.
  @Test(
    arguments: [
      (1_577_836_800, 455, 2), (1_577_836_800, 456, 3), (1_577_836_800, 821, 3), (1_577_836_800, 822, 4),
      (1_577_836_800, 1186, 4), (1_577_836_800, 1187, 5), (1_618_876_800, 90, 2), (1_618_963_200, 90, 7),
    ] as [(Int64, Int64, Int)])
  func oldCertificates(_ issued: Int64, _ days: Int64, _ needed: Int) throws {
    // All of one operator, whose number did not matter then.
    let logs = (1...6).map { Self.log($0, by: "A") }
    for count in 1...6 {
      let timestamps = (1...UInt8(count)).map { number in
        SignedTimestamp(
          source: .certificate, logID: [UInt8](repeating: number, count: 32), milliseconds: UInt64(issued) * 1_000,
          signature: .valid)
      }
      let verdict = try Self.judge(timestamps, logs, days: days, issued: issued)
      #expect(verdict.transparency?.status == (count >= needed ? .pass : .fail), "\(count): \(verdict)")
    }
  }

  @Test func anEndlessLife() throws {
    let leaf = S.leaf.with { ($0.notBefore, $0.notAfter) = (.min, .max) }
    #expect(try Self.status([Self.timestamp(1), Self.timestamp(2)], days: Int64.max / S.day / 4) == .fail)
    var facts = S.facts(S.evaluation([leaf, S.root], isSystem: true))
    facts.timestamps = [Self.timestamp(1)]
    let list = TransparencyLogList([Self.log(1)], published: .min)
    let policy = TrustPolicy(name: "t", transparency: TransparencyRequirement(logs: list, maximumAge: .max))
    #expect(try S.requirements(mode: .off, trust: policy).judge(facts).transparency != nil)
  }

  // MARK: the list and the verdict

  @Test func aStaleListRefuses() throws {
    let timestamps = [Self.timestamp(1), Self.timestamp(2)]
    let verdict = try Self.judge(timestamps, published: S.now - 70 * S.day - 1)
    #expect(verdict.refusal?.detail.contains("older than ct.maxAge, 70 days") == true)
    #expect(verdict.transparency?.status == .fail)
    #expect(try Self.judge(timestamps, published: S.now - 70 * S.day).isAccepted)
    #expect(try Self.judge(timestamps, published: S.now + 70 * S.day).isAccepted)
    let exempt = try Self.judge([], isSystem: false, published: 0)
    #expect(exempt.isAccepted, "who needs no timestamps needs no list")
  }

  @Test func theRefusalSaysWhatIsMissing() throws {
    let verdict = try Self.judge([Self.timestamp(1), Self.timestamp(2, .certificate, age: 20, .invalid)])
    let refusal = try #require(verdict.refusal)
    #expect(refusal.error == .serverCertificateUntrusted && refusal.status == 502)
    #expect(refusal.proxyError == .tlsCertificateError && refusal.decidedBy == .trust)
    #expect(refusal.title.contains("Certificate Transparency"))
    for words in [
      "trust.t", "1 of 2 timestamps count: log 1 (operator 1)", "log 2 (operator 2): its signature is not valid",
      "2 embedded ones are needed for a certificate of 90 days, at most 1 of one operator",
    ] {
      #expect(refusal.detail.contains(words), "\(refusal.detail)")
    }
    #expect(verdict.matchedPin == nil)
  }

  @Test func chainAndPinsAreSpokenOfFirst() throws {
    var facts = S.facts(S.evaluation(S.chain, [.expired(depth: 0)], isSystem: true))
    facts.timestamps = []
    let requirement = TransparencyRequirement(logs: TransparencyLogList([], published: S.now), maximumAge: S.day)
    let policy = TrustPolicy(name: "t", transparency: requirement)
    let verdict = try S.requirements(mode: .off, trust: policy).judge(facts)
    #expect(verdict.refusal?.error == .serverCertificateHasBadDate && verdict.transparency?.status == .fail)
    #expect(try S.requirements().judge(S.facts()).transparency == nil)
  }
}
