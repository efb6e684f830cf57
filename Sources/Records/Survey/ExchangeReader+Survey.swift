import Database
import Foundation

extension ExchangeReader: ExchangeSurvey {
  public func count(_ query: ExchangeQuery) throws -> Int {
    let selection = try ExchangeSelection(query).before(query.cursor)
    let found = try read { database throws(DatabaseFault) in
      let statement = try selection.statement("count(*)", order: "DESC", limit: 1, in: database)
      defer { statement.reset() }
      return try statement.step() ? Int(statement.integer(0)) : 0
    }
    return found ?? 0
  }

  public func hosts() throws -> [HostSummary] {
    try read { database throws(DatabaseFault) in
      var hosts = try Self.countedHosts(database)
      try Self.addViolations(to: &hosts, database)
      return hosts
    } ?? []
  }

  private static let isEncrypted = "substr(search, 1, 6) IN ('https:', 'wss://')"

  private static func countedHosts(_ database: Database) throws(DatabaseFault) -> [HostSummary] {
    let statement = try database.statement(
      """
      SELECT host, port, \(isEncrypted) AS encrypted, count(*), sum(action = 'intercept'), sum(action = 'bypass'),
        sum(action = 'deny'), sum(failed), sum(ats = 'pass'), sum(ats = 'fail'), sum(ats = 'off'), min(started), max(started)
      FROM exchanges GROUP BY host, port, encrypted ORDER BY max(sequence) DESC LIMIT \(HostSummary.limit)
      """)
    defer { statement.reset() }
    var hosts: [HostSummary] = []
    while try statement.step() { hosts.append(host(statement)) }
    return hosts
  }

  private static func host(_ row: Statement) -> HostSummary {
    var host = HostSummary(
      host: row.text(0), port: row.isNull(1) ? nil : Int(row.integer(1)), isEncrypted: row.integer(2) != 0)
    host.requests = Int(row.integer(3))
    (host.intercepted, host.bypassed, host.denied) = (Int(row.integer(4)), Int(row.integer(5)), Int(row.integer(6)))
    host.failed = Int(row.integer(7))
    (host.passedATS, host.failedATS, host.withoutATS) = (Int(row.integer(8)), Int(row.integer(9)), Int(row.integer(10)))
    (host.first, host.last) = (row.integer(11), row.integer(12))
    return host
  }

  /// There are few combinations for each host, and only exchanges with violations are read in full.
  private static func addViolations(to hosts: inout [HostSummary], _ database: Database) throws(DatabaseFault) {
    let places = Dictionary(hosts.enumerated().map { (HostKey($1), $0) }) { first, _ in first }
    let statement = try database.statement(
      """
      SELECT host, port, \(isEncrypted) AS encrypted, json_extract(record, '$.ats.violations') AS violations,
        json_extract(record, '$.origin.tls.version') AS version, count(*)
      FROM exchanges WHERE ats = 'fail' GROUP BY host, port, encrypted, violations, version LIMIT \(HostSummary.limit * 8)
      """)
    defer { statement.reset() }
    while try statement.step() {
      guard let place = places[HostKey(host(named: statement))] else { continue }
      let names = (try? JSONDecoder().decode([String].self, from: Data(statement.bytes(3)))) ?? []
      for name in names { hosts[place].violations[name, default: 0] += Int(statement.integer(5)) }
      guard !statement.isNull(4) else { continue }
      // Names of versions sort by age.
      hosts[place].oldestTLS = min(hosts[place].oldestTLS ?? statement.text(4), statement.text(4))
    }
  }

  private static func host(named row: Statement) -> HostSummary {
    HostSummary(host: row.text(0), port: row.isNull(1) ? nil : Int(row.integer(1)), isEncrypted: row.integer(2) != 0)
  }
}

/// What tells summaries apart.
private struct HostKey: Hashable {
  let host: String
  let port: Int?
  let isEncrypted: Bool

  init(_ summary: HostSummary) {
    (host, port, isEncrypted) = (summary.host, summary.port, summary.isEncrypted)
  }
}
