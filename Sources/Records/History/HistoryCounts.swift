/// Figures of the history, for metrics.
public struct HistoryCounts: Sendable, Hashable {
  /// Exchanges written to the store since the start.
  public var stored = 0
  /// Exchanges that the store or the feed would have taken, and that were dropped: too many at a time, or the store could not write.
  public var dropped = 0
  /// Exchanges that were stored without their bodies, because too many bytes came at a time.
  public var bodiesDropped = 0
  /// Exchanges that wait to be written.
  public var queued = 0
  /// Exchanges in the store, and the bytes that they take in its file.
  public var exchanges = 0
  public var bytes = 0
  /// The store is switched on and cannot write at present.
  public var isFailing = false

  public init() {}
}
