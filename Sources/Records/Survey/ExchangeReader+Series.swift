import Database

extension ExchangeReader {
  /// So many exchanges in a row that began before the time end the walk: they lie in the order in which they ended, and the long ones
  /// among them are few.
  private static let patience = 512

  public func series(_ span: SeriesSpan) throws -> [SeriesBucket] {
    try read { database throws(DatabaseFault) in
      let statement = try database.statement(
        """
        SELECT started, action, failed, json_extract(record, '$.timing.total'), json_extract(record, '$.response.fromCache')
        FROM exchanges ORDER BY sequence DESC
        """)
      defer { statement.reset() }
      var buckets = (0..<span.stepCount).map { SeriesBucket(time: span.start + Int64($0) * span.step) }
      var early = 0
      while early < Self.patience, try statement.step() {
        let place = (statement.integer(0) - span.start) / span.step
        guard statement.integer(0) >= span.start, place < buckets.count else {
          early += statement.integer(0) < span.start ? 1 : 0
          continue
        }
        early = 0
        buckets[Int(place)].add(Self.kind(statement), milliseconds: statement.isNull(3) ? nil : statement.number(3))
      }
      return buckets
    } ?? []
  }

  private static func kind(_ row: Statement) -> SeriesBucket.Kind {
    if row.text(1) == "deny" { return .deny }
    if row.integer(2) != 0 { return .fail }
    if row.text(1) == "bypass" { return .bypass }
    return row.integer(4) != 0 ? .cached : .pass
  }
}
