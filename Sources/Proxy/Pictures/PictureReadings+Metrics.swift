import Pictures
import Records

extension PictureReadings {
  /// What the cache of pictures counts, as metrics.
  static func families(_ readings: PictureReadings) -> [MetricFamily] {
    let counters: [(PictureEvent, StaticString, StaticString)] = [
      (.hits, "picture_cache_hits_total", "Requests that a stored picture answered without the origin."),
      (.misses, "picture_cache_misses_total", "Requests for pictures that had to wait for the origin."),
      (.revalidated, "picture_cache_revalidated_total", "Stored pictures that their origin confirmed."),
      (
        .stale, "picture_cache_stale_total",
        "Requests that a picture past its time answered, because the origin failed."
      ),
      (.coalesced, "picture_cache_coalesced_total", "Requests that got what another client was fetching."),
      (.stored, "picture_cache_stored_total", "Pictures that were taken into the cache."),
      (.prefetched, "picture_cache_prefetched_total", "Pictures that were loaded ahead, because a page names them."),
      (.invalidated, "picture_cache_invalidated_total", "Changes to pictures at their origin that passed."),
    ]
    let families = counters.map { event, name, help in
      MetricFamily(name, .counter, help, value: Double(readings.counts[event.rawValue]))
    }
    return families + [
      MetricFamily(
        "picture_cache_bytes", .gauge, "What the stored pictures take.",
        samples: [
          .init(labels: ["tier": "memory"], value: Double(readings.memoryByteCount)),
          .init(labels: ["tier": "disk"], value: Double(readings.diskByteCount)),
        ]),
      MetricFamily(
        "picture_cache_evictions_total", .counter, "Pictures that went to make room.",
        samples: [
          .init(labels: ["tier": "memory"], value: Double(readings.memoryEvictionCount)),
          .init(labels: ["tier": "disk"], value: Double(readings.diskEvictionCount)),
        ]),
    ]
  }
}
