import Policy

/// What all loops counted together, lane by lane. The names of lanes are those of the configuration, in the order of the alphabet.
extension LoopCounters {
  static func laneFamilies(_ loops: [LoopCounters]) -> [MetricFamily] {
    var lanes: [String: [LaneCounters]] = [:]
    for loop in loops {
      for (name, counters) in loop.lanes.all { lanes[name, default: []].append(counters) }
    }
    let sorted = lanes.sorted { $0.key < $1.key }
    return [
      MetricFamily(
        "lane_exchanges_total", .counter, "Requests that have ended, by lane and by what was decided.",
        samples: sorted.flatMap { lane in
          Action.all.map { action in
            sample(lane.key, "action", action.rawValue, lane.value) { $0.exchanges.value(at: action.place) }
          }
        }),
      MetricFamily(
        "lane_failures_total", .counter, "Requests that failed or were refused, by lane.",
        samples: sorted.map { lane in sample(lane.key, lane.value) { $0.failures.value(at: 0) } }),
      MetricFamily(
        "lane_tunnels_total", .counter, "Blind tunnels that were asked for and permitted, by lane.",
        samples: sorted.map { lane in sample(lane.key, lane.value) { $0.tunnels.value(at: 0) } }),
      MetricFamily(
        "lane_body_bytes_total", .counter, "Bytes of bodies that passed, by lane.",
        samples: sorted.flatMap { lane in
          [("request", 0), ("response", 1)].map { direction, place in
            sample(lane.key, "direction", direction, lane.value) { $0.bodyBytes.value(at: place) }
          }
        }),
    ]
  }

  private static func sample(
    _ lane: String, _ label: StaticString, _ value: String, _ loops: [LaneCounters], _ count: (LaneCounters) -> Int
  ) -> MetricFamily.Sample {
    MetricFamily.Sample(labels: ["lane": lane, label: value], value: sum(loops, count))
  }

  private static func sample(
    _ lane: String, _ loops: [LaneCounters], _ count: (LaneCounters) -> Int
  ) -> MetricFamily.Sample {
    MetricFamily.Sample(labels: ["lane": lane], value: sum(loops, count))
  }

  private static func sum(_ loops: [LaneCounters], _ count: (LaneCounters) -> Int) -> Double {
    Double(loops.reduce(0) { $0 &+ count($1) })
  }
}
