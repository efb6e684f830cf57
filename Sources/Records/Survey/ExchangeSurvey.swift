/// Recorded exchanges, counted and summed up. May block on the disk, some of it for as long as reading the whole history takes: not for
/// loops.
public protocol ExchangeSurvey: ExchangeArchive {
  /// How many exchanges fit, those at the cursor and newer left out.
  func count(_ query: ExchangeQuery) throws -> Int
  /// The hosts of all exchanges, those with the newest first, `HostSummary.limit` at most.
  func hosts() throws -> [HostSummary]
  /// What happened when.
  func series(_ span: SeriesSpan) throws -> [SeriesBucket]
}
