/// What the stapled OCSP response of an origin says of its certificate, as a fact. Moments are seconds since 1970.
public enum StapledStatus: Sendable, Hashable {
  case absent
  /// As good as absent; why, as a part of a sentence.
  case unusable(String)
  /// `end` nil: the responder does not say how long it holds.
  case good(begin: Int64, end: Int64?)
  /// - `reason`: one of the words of RFC 5280 section 5.3.1; nil: none was given.
  case revoked(at: Int64, reason: String?, begin: Int64, end: Int64?)

  /// Clocks may differ by so many seconds.
  private static let tolerance: Int64 = 300

  /// The status as it counts at `now`.
  ///
  /// An answer that is over, or whose end is not told, is as good as absent. A revocation is for good, so that its answer does not age;
  /// but a hold may be lifted.
  func effective(at now: Int64) -> StapledStatus {
    switch self {
    case .absent, .unusable: return self
    case .good(let begin, let end): return Self.flaw(begin, end, now).map { .unusable($0) } ?? self
    case .revoked(_, "certificateHold", let begin, let end):
      return Self.flaw(begin, end, now).map { .unusable($0) } ?? self
    case .revoked: return self
    }
  }

  private static func flaw(_ begin: Int64, _ end: Int64?, _ now: Int64) -> String? {
    guard begin <= now + tolerance else { return "it lies in the future" }
    guard let end else { return "it does not say how long it holds" }
    return end >= now - tolerance ? nil : "it ended on \(CalendarDay(secondsSince1970: end))"
  }
}

extension PeerFacts {
  /// With what the stapled status means for the certificate among the faults of its chains.
  ///
  /// A certificate that was made an anchor itself was trusted by name, and needs no status.
  var withStatus: PeerFacts {
    guard let leaf = evaluation.chain.first, let fault = fault(of: leaf) else { return self }
    var facts = self
    facts.evaluation.faults.append(fault)
    facts.pinnedEvaluation?.faults.append(fault)
    return facts
  }

  private func fault(of leaf: CertificateFacts) -> ChainFault? {
    switch staple.effective(at: now) {
    case .good: return nil
    case .revoked(let moment, let reason, _, _):
      return .revoked("on \(CalendarDay(secondsSince1970: moment))" + (reason.map { " (\($0))" } ?? ""))
    case .absent: return mustStaple(leaf) ? .stapleMissing("the origin sent none") : nil
    case .unusable(let why):
      return mustStaple(leaf) ? .stapleMissing("the one that the origin sent is of no use: \(why)") : nil
    }
  }

  private func mustStaple(_ leaf: CertificateFacts) -> Bool {
    leaf.requiresStaple && (evaluation.chain.count > 1 || !evaluation.isValid)
  }
}
