import Authority
import EventLoop
import Records

/// What the proxy counts outside of its loops.
extension ProxyServer {
  /// Everything that is counted, in the text format of Prometheus. Not for loops.
  public func metricsText() -> String {
    metrics.text()
  }

  static func families(log: Log, leaves: LeafCounts) -> [MetricFamily] {
    [
      MetricFamily(
        "leaf_mints_total", .counter, "Leaf certificates that were to be made.",
        samples: [
          .init(labels: ["result": "made"], value: Double(leaves.made)),
          .init(labels: ["result": "failed"], value: Double(leaves.failed)),
        ]),
      MetricFamily(
        "leaf_cache_hits_total", .counter, "Handshakes with clients for which the leaf was at hand.",
        value: Double(leaves.found)),
      MetricFamily(
        "log_lines_dropped_total", .counter, "Lines of the log that were lost, because its reader was too slow.",
        value: Double(log.droppedCount)),
      MetricFamily(
        "log_waiting_bytes", .gauge, "Bytes of the log that wait to be written.", value: Double(log.waitingByteCount)),
      MetricFamily(
        "queue_depth", .gauge, "Jobs that wait for a thread.",
        samples: [
          .init(labels: ["queue": "mint"], value: Double(Generation.minting.waitingCount)),
          .init(labels: ["queue": "passwords"], value: Double(Gatekeeper.waitingCount)),
        ]),
    ]
  }
}
