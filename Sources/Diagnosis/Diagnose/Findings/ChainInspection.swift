import Policy

/// Looks over the certificates that an origin sent. Pure.
struct ChainInspection {
  private let sent: [CertificateFacts]
  private let evaluation: ChainEvaluation
  private let now: Int64

  /// - Parameter locations: where the issuer of the last certificate can be had, as that certificate says.
  init(_ facts: PeerFacts, locations: [String] = []) {
    sent = facts.presented
    evaluation = facts.evaluation
    now = facts.now
    self.locations = locations
  }

  private let locations: [String]
  private static let day: Int64 = 86_400

  var problems: [ChainProblem] {
    [missingIntermediate, wrongOrder].compactMap { $0 } + unrelated + [rootSent].compactMap { $0 } + dates
      + [lifetime].compactMap { $0 }
  }

  /// The path ends at a certificate that another one must have issued, and neither the origin nor the trust store has it.
  private var missingIntermediate: ChainProblem? {
    guard evaluation.faults.contains(.unknownRoot), let last = evaluation.chain.last, !last.isSelfIssued else {
      return nil
    }
    let isAlone = evaluation.chain.count == 1
    let place = locations.first.map { "; its certificate names \($0.prefix(200))" } ?? ""
    return ChainProblem(
      kind: .missingIntermediate, level: .error,
      detail: isAlone
        ? "The origin sends no certificate of the issuer \(quoted(last.issuer)), which is no known root either: an intermediate is "
          + "missing, or the root is not trusted here\(place). Append the intermediates to the certificate file of the server."
        : "The chain ends at \(quoted(last.subject)), whose issuer \(quoted(last.issuer)) is neither sent nor a known root\(place)."
    )
  }

  /// Each certificate must be certified by the next (RFC 5246, section 7.4.2); TLS 1.3 lets clients sort.
  private var wrongOrder: ChainProblem? {
    for (index, certificate) in sent.enumerated().dropLast() where !certificate.isSelfIssued {
      guard sent[index + 1].subject != certificate.issuer,
        sent.contains(where: { $0.subject == certificate.issuer && $0 != certificate })
      else { continue }
      return ChainProblem(
        kind: .wrongOrder, level: .warning,
        detail:
          "Certificate \(index + 1) of \(sent.count), \(quoted(certificate.subject)), is not followed by its issuer "
          + "\(quoted(certificate.issuer)), which is sent elsewhere. Old clients do not sort: send the leaf first, then each issuer."
      )
    }
    return nil
  }

  private var unrelated: [ChainProblem] {
    let used = Set(evaluation.chain.map(\.fingerprint))
    let isAnchored = !evaluation.faults.contains(.unknownRoot) && !evaluation.faults.contains(.selfSigned)
    guard isAnchored else { return [] }
    return sent.filter { !used.contains($0.fingerprint) && !$0.isSelfIssued }.map {
      ChainProblem(
        kind: .unrelatedCertificate, level: .note,
        detail: "\(quoted($0.subject)) is sent, but is no part of the path to the root.")
    }
  }

  private var rootSent: ChainProblem? {
    guard let root = sent.dropFirst().first(where: \.isSelfIssued) else { return nil }
    return ChainProblem(
      kind: .rootSent, level: .note,
      detail: "The root \(quoted(root.subject)) is sent; clients have it or do not trust it, so it only costs bytes.")
  }

  private var dates: [ChainProblem] {
    evaluation.chain.compactMap { certificate in
      let left = certificate.notAfter &- now
      if left < 0 {
        return ChainProblem(
          kind: .expired, level: .error,
          detail: "\(quoted(certificate.subject)) expired on \(CalendarDay(secondsSince1970: certificate.notAfter)).")
      }
      guard left < Self.warningTime(certificate) else { return nil }
      return ChainProblem(
        kind: .expiringSoon, level: .warning,
        detail: "\(quoted(certificate.subject)) expires on \(CalendarDay(secondsSince1970: certificate.notAfter)), in "
          + "\(left / Self.day) days.")
    }
  }

  /// Three weeks, or a quarter of a short life.
  private static func warningTime(_ certificate: CertificateFacts) -> Int64 {
    let (life, isEndless) = certificate.notAfter.subtractingReportingOverflow(certificate.notBefore)
    return isEndless ? 21 * day : min(21 * day, life / 4)
  }

  /// Apple's limits (spec E.3), and those that public authorities have agreed on since (CA/Browser Forum, ballot SC-081v3).
  private var lifetime: ChainProblem? {
    guard let leaf = evaluation.chain.first, evaluation.chain.count > 1,
      let limit = LifetimeLimit.of(leaf, anchorIsSystem: evaluation.anchorIsSystem)
    else { return nil }
    let (life, isEndless) = leaf.notAfter.subtractingReportingOverflow(leaf.notBefore)
    guard isEndless || life > limit.days * Self.day + limit.tolerance else { return nil }
    let days = isEndless ? "more than any calendar has" : "\((life - 1) / Self.day + 1)"
    return ChainProblem(
      kind: .lifetime, level: limit.isAppleRule ? .error : .warning,
      detail: "\(quoted(leaf.subject)) is valid for \(days) days; \(limit.rule) permits \(limit.days).")
  }

  private func quoted(_ name: String) -> String { "\"\(name.prefix(200))\"" }
}

/// How long a certificate for servers may live.
private struct LifetimeLimit {
  let days: Int64
  /// Seconds beyond them that still count as within.
  let tolerance: Int64
  let rule: String
  let isAppleRule: Bool

  /// nil: there is none for certificates of that age.
  static func of(_ leaf: CertificateFacts, anchorIsSystem: Bool) -> LifetimeLimit? {
    guard anchorIsSystem else {
      let july2019: Int64 = 1_561_939_200
      guard leaf.notBefore > july2019 else { return nil }
      return LifetimeLimit(
        days: 825, tolerance: 3_600, rule: "Apple, for roots that were added by hand,", isAppleRule: true)
    }
    let steps: [(since: Int64, days: Int64, rule: String, isAppleRule: Bool)] = [
      (1_868_227_200, 47, "the CA/Browser Forum", false), (1_805_068_800, 100, "the CA/Browser Forum", false),
      (1_773_532_800, 200, "the CA/Browser Forum", false), (1_598_918_400, 398, "Apple", true),
      (1_519_862_400, 825, "Apple", true),
    ]
    guard let step = steps.first(where: { leaf.notBefore >= $0.since }) else { return nil }
    let tolerance: Int64 = step.days == 825 ? 3_600 : 0
    return LifetimeLimit(days: step.days, tolerance: tolerance, rule: step.rule, isAppleRule: step.isAppleRule)
  }
}
