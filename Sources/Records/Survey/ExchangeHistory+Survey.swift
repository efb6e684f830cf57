/// By a connection of its own: a look at the whole history holds up no page of it.
extension ExchangeHistory: ExchangeSurvey {
  public func count(_ query: ExchangeQuery) throws -> Int {
    try survey { try $0.count(query) } ?? 0
  }

  public func hosts() throws -> [HostSummary] {
    try survey { try $0.hosts() } ?? []
  }

  public func series(_ span: SeriesSpan) throws -> [SeriesBucket] {
    try survey { try $0.series(span) } ?? []
  }
}
