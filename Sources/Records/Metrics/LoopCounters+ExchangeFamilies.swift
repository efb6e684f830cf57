import Policy

/// What all loops counted of exchanges together.
extension LoopCounters {
  static func exchangeFamilies(_ loops: [LoopCounters]) -> [MetricFamily] {
    let classes = ["1xx", "2xx", "3xx", "4xx", "5xx", "none"]
    let errors = NSURLError.allCases.map(\.name)
    let proxyErrors = ProxyErrorType.allCases.map(\.rawValue)
    return [
      MetricFamily(
        "exchanges_total", .counter, "Requests that have ended, by what was decided and by what decided it.",
        samples: verdicts(loops)),
      family(
        "responses_total", .counter, "Requests that have ended, by the status that the client got.", "status", classes,
        sums(loops, classes.count) { $0.statuses.value(at: $1) }),
      family(
        "failures_total", .counter, "Requests that failed, by the error that an app gets for it.", "error", errors,
        sums(loops, errors.count) { $0.errors.value(at: $1) }),
      family(
        "proxy_errors_total", .counter, "Requests that failed, by their error type of RFC 9209.", "error", proxyErrors,
        sums(loops, proxyErrors.count) { $0.proxyErrors.value(at: $1) }),
      family(
        "ats_violations_total", .counter, "Requests with something that App Transport Security does not permit.",
        "violation", violationNames, sums(loops, violationNames.count) { $0.violations.value(at: $1) }),
      family(
        "body_bytes_total", .counter, "Bytes of bodies that passed.", "direction", ["request", "response"],
        sums(loops, 2) { $0.bodyBytes.value(at: $1) }),
      histogram(
        "first_byte_seconds", "From the whole way to the origin being there to the first byte of its answer.", loops
      ) { $0.firstByte.add(to: &$1) },
      histogram("exchange_seconds", "From the head of a request to the end of its answer.", loops) {
        $0.total.add(to: &$1)
      },
    ]
  }

  /// Only what occurred: most combinations cannot.
  private static func verdicts(_ loops: [LoopCounters]) -> [MetricFamily.Sample] {
    var samples: [MetricFamily.Sample] = []
    for action in Action.all {
      for step in DecisionStep.allCases + [nil] {
        for spoken in HTTPProtocol.allCases {
          let place = place(action, step, spoken)
          let count = loops.reduce(0) { $0 &+ $1.exchanges.value(at: place) }
          guard count > 0 else { continue }
          samples.append(
            MetricFamily.Sample(
              labels: [
                "action": action.rawValue, "decided_by": step?.rawValue ?? "none", "protocol": "\(spoken.name)",
              ], value: Double(count)))
        }
      }
    }
    return samples
  }

  private static func histogram(
    _ name: StaticString, _ help: StaticString, _ loops: [LoopCounters],
    _ add: (LoopCounters, inout (counts: [Int], seconds: Double)) -> Void
  ) -> MetricFamily {
    var total = (counts: [Int](repeating: 0, count: LatencyHistogram.bounds.count + 1), seconds: 0.0)
    for loop in loops { add(loop, &total) }
    var samples: [MetricFamily.Sample] = []
    var below = 0
    for (index, count) in total.counts.enumerated() {
      below += count
      let bound = index < LatencyHistogram.bounds.count ? Double(LatencyHistogram.bounds[index]) / 1e9 : .infinity
      samples.append(
        MetricFamily.Sample(suffix: "_bucket", labels: ["le": MetricText.number(bound)], value: Double(below)))
    }
    samples.append(MetricFamily.Sample(suffix: "_sum", value: total.seconds))
    samples.append(MetricFamily.Sample(suffix: "_count", value: Double(below)))
    return MetricFamily(name, .histogram, help, samples: samples)
  }
}
