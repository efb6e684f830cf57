/// Counts timestamps by Apple's rules (spec G.1). Either (a) two from logs that are approved now, at least one of them from the
/// handshake or the staple; or (b) enough embedded ones by the lifetime of the certificate, of which one is approved now.
struct TransparencyTally {
  private let all: [AssessedTimestamp]
  private let need: TimestampNeed

  init(_ timestamps: [AssessedTimestamp], leaf: CertificateFacts) {
    all = timestamps
    need = TimestampNeed(notBefore: leaf.notBefore, notAfter: leaf.notAfter)
  }

  var verdict: TransparencyVerdict {
    let lacking = lackingEmbedded
    guard lacking.isEmpty || passesWithDelivered else {
      return TransparencyVerdict(status: .fail, count: all.count, reason: "\(summary); \(lacking)")
    }
    return TransparencyVerdict(status: .pass, count: all.count, reason: summary)
  }

  /// Rule (a). A log counts once.
  private var passesWithDelivered: Bool {
    let approved = all.filter { $0.standing == .approved }
    return Set(approved.map(\.timestamp.logID)).count >= 2 && approved.contains { !$0.timestamp.isEmbedded }
  }

  /// What rule (b) finds missing; empty: nothing.
  private var lackingEmbedded: String {
    let embedded = Self.oneForEachLog(all.filter { $0.timestamp.isEmbedded && $0.counts })
    var missing: [String] = []
    let counting = Self.capped(embedded, limit: need.operatorLimit)
    if counting < need.count {
      let cap = need.operatorLimit.map { ", at most \($0) of one operator" } ?? ""
      missing.append("\(need.count) embedded ones are needed for a certificate of \(need.lifetime)\(cap)")
    }
    if !embedded.contains(where: { $0.standing == .approved }) {
      missing.append("one must be embedded from a log that is approved now")
    }
    if !embedded.contains(where: { $0.log?.interface == .rfc6962 }) {
      missing.append("one must be of a log with the interface of RFC 6962")
    }
    return missing.joined(separator: ", and ")
  }

  /// The best timestamp of each log.
  private static func oneForEachLog(_ timestamps: [AssessedTimestamp]) -> [AssessedTimestamp] {
    var best: [[UInt8]: AssessedTimestamp] = [:]
    for candidate in timestamps where best[candidate.timestamp.logID]?.standing != .approved {
      best[candidate.timestamp.logID] = candidate
    }
    return Array(best.values)
  }

  /// How many count if no operator may have more than `limit`.
  private static func capped(_ timestamps: [AssessedTimestamp], limit: Int?) -> Int {
    guard let limit else { return timestamps.count }
    var counts: [String: Int] = [:]
    for entry in timestamps {
      counts[entry.log?.operatorName(at: entry.timestamp.milliseconds) ?? "", default: 0] += 1
    }
    return counts.values.reduce(0) { $0 + min($1, limit) }
  }

  /// `2 of 3 timestamps count: …; not: …`, of which the first few are named.
  private var summary: String {
    guard !all.isEmpty else { return "the origin shows no timestamp" }
    let (good, bad) = (all.filter(\.counts), all.filter { !$0.counts })
    let total = all.count == 1 ? "1 timestamp counts" : "\(all.count) timestamps count"
    var text = "\(good.count) of \(total)"
    if !good.isEmpty { text += ": \(Self.names(good))" }
    if !bad.isEmpty { text += "; not: \(Self.names(bad))" }
    return text
  }

  private static func names(_ timestamps: [AssessedTimestamp]) -> String {
    let limit = 6
    return timestamps.prefix(limit).map { OriginRequirements.excerpt($0.text) }.joined(separator: ", ")
      + (timestamps.count > limit ? " and more" : "")
  }
}
