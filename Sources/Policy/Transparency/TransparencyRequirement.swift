/// What a trust policy with `requiresCertificateTransparency` asks for: Apple's policy (spec G.1, Apple's page 103214), judged by the
/// operator's list of logs.
///
/// Where Apple's systems stop asking when their list is old, this refuses: who asks for transparency is told that it cannot be had.
public struct TransparencyRequirement: Sendable, Hashable {
  public var logs: TransparencyLogList
  /// In seconds.
  public var maximumAge: Int64

  public init(logs: TransparencyLogList, maximumAge: Int64) {
    self.logs = logs
    self.maximumAge = maximumAge
  }

  /// Certificates issued before (2018-10-16, seconds since 1970) need no timestamps.
  private static let begin: Int64 = 1_539_648_000

  /// The chain is taken as it was built; whether it is trusted is judged elsewhere.
  func judge(_ facts: PeerFacts) -> TransparencyVerdict {
    let evaluation = facts.evaluation
    let count = facts.timestamps.count
    guard let leaf = evaluation.chain.first, evaluation.anchorIsSystem else {
      return TransparencyVerdict(
        status: .exempt, count: count,
        reason: "the chain does not lead to a root of the system, and only those need timestamps")
    }
    guard leaf.notBefore >= Self.begin else {
      return TransparencyVerdict(
        status: .exempt, count: count,
        reason: "the certificate was issued before \(CalendarDay(secondsSince1970: Self.begin))")
    }
    let age = facts.now.subtractingReportingOverflow(logs.published)
    guard !age.overflow, age.partialValue <= maximumAge else {
      return TransparencyVerdict(
        status: .fail, count: count,
        reason: "the log list is of \(CalendarDay(secondsSince1970: logs.published)) and older than ct.maxAge, "
          + (maximumAge < 86_400 ? "\(maximumAge) s" : "\(maximumAge / 86_400) days"))
    }
    let assessed = facts.timestamps.map { assess($0, of: leaf, now: facts.now) }
    return TransparencyTally(assessed, leaf: leaf).verdict
  }

  /// What one timestamp is worth.
  private func assess(_ timestamp: SignedTimestamp, of leaf: CertificateFacts, now: Int64) -> AssessedTimestamp {
    let log = logs.logs[timestamp.logID]
    return AssessedTimestamp(
      timestamp: timestamp, log: log,
      standing: log.map { standing(of: timestamp, in: $0, leaf: leaf, now: now) } ?? .worthless(.unknownLog))
  }

  private func standing(
    of timestamp: SignedTimestamp, in log: TransparencyLog, leaf: CertificateFacts, now: Int64
  ) -> AssessedTimestamp.Standing {
    switch timestamp.signature {
    case .valid: break
    case .invalid: return .worthless(.badSignature)
    case .unknownLog: return .worthless(.unknownLog)
    case .unchecked: return .worthless(.unchecked)
    }
    // The clock here has whole seconds.
    guard Int64(clamping: timestamp.milliseconds / 1_000) <= now else { return .worthless(.fromTheFuture) }
    if let interval = log.interval, !interval.contains(leaf.notAfter) { return .worthless(.outsideInterval) }
    guard !log.isForTests else { return .worthless(.notApproved) }
    switch log.state {
    case .usable, .qualified: return .approved
    case .pending, .rejected: return .worthless(.notApproved)
    case .readOnly(let moment):
      return timestamp.milliseconds < moment ? .approved : .worthless(.afterEnd)
    case .retired(let moment):
      return timestamp.isEmbedded && timestamp.milliseconds < moment ? .onceApproved : .worthless(.afterEnd)
    }
  }
}
