import Policy

/// What all loops counted together, as metrics.
extension LoopCounters {
  static func families(of loops: [LoopCounters]) -> [MetricFamily] {
    connectionFamilies(loops) + exchangeFamilies(loops) + laneFamilies(loops) + originFamilies(loops)
      + tunnelFamilies(loops)
  }

  private static func connectionFamilies(_ loops: [LoopCounters]) -> [MetricFamily] {
    let kinds = ListenerKind.allCases.map { "\($0)" }
    return [
      family(
        "connections_total", .counter, "Connections of clients that were accepted.", "listener", kinds,
        sums(loops, kinds.count) { $0.connections.value(at: $1) }),
      family(
        "connections_open", .gauge, "Connections of clients that are open.", "listener", kinds,
        sums(loops, kinds.count) { $0.openConnections.value(at: $1) }),
      family(
        "client_handshakes_total", .counter, "TLS handshakes with clients.", "result", handshakes,
        sums(loops, handshakes.count) { $0.clientHandshakes.value(at: $1) }),
    ]
  }

  private static func originFamilies(_ loops: [LoopCounters]) -> [MetricFamily] {
    let uses = OriginUse.allCases.map { "\($0)" }
    let checks = PinCheck.allCases.map { "\($0)" }
    return [
      family(
        "origin_handshakes_total", .counter, "TLS handshakes with origins.", "result", handshakes,
        sums(loops, handshakes.count) { $0.originHandshakes.value(at: $1) }),
      family(
        "origin_connections_opened_total", .counter, "Connections to origins that were made.", "use", uses,
        sums(loops, uses.count) { $0.originsOpened.value(at: $1) }),
      family(
        "origin_connections_reused_total", .counter, "Exchanges over a connection to an origin that others had used.",
        "use", uses, sums(loops, uses.count) { $0.originsReused.value(at: $1) }),
      family(
        "origin_connections_idle", .gauge, "Connections to origins that wait for the next exchange.", "use", uses,
        sums(loops, uses.count) { $0.originsIdle.value(at: $1) }),
      family(
        "pins_checked_total", .counter, "Connections to origins whose certificates were held against pins.", "result",
        checks, sums(loops, checks.count) { $0.pins.value(at: $1) }),
    ]
  }

  private static func tunnelFamilies(_ loops: [LoopCounters]) -> [MetricFamily] {
    [
      MetricFamily(
        "tunnels_total", .counter, "Blind tunnels that were asked for and permitted.",
        value: sum(loops) { $0.tunnels.value(at: 0) }),
      MetricFamily(
        "tunnels_open", .gauge, "Blind tunnels that are open.", value: sum(loops) { $0.openTunnels.value(at: 0) }),
      family(
        "tunnel_bytes_total", .counter, "Bytes that passed through blind tunnels which have ended.", "direction",
        ["sent", "received"], sums(loops, 2) { $0.tunnelBytes.value(at: $1) }),
      MetricFamily(
        "capture_skipped_total", .counter, "Exchanges of which nothing was kept, because too much was kept already.",
        value: sum(loops) { $0.captureSkipped.value(at: 0) }),
    ]
  }

  private static let handshakes = Handshake.allCases.map { "\($0)" }

  // MARK: sums

  static func sums(_ loops: [LoopCounters], _ count: Int, _ value: (LoopCounters, Int) -> Int) -> [Int] {
    (0..<count).map { index in loops.reduce(0) { $0 &+ value($1, index) } }
  }

  private static func sum(_ loops: [LoopCounters], _ value: (LoopCounters) -> Int) -> Double {
    Double(loops.reduce(0) { $0 &+ value($1) })
  }

  /// One sample for each value of the one label.
  static func family(
    _ name: StaticString, _ kind: MetricFamily.Kind, _ help: StaticString, _ label: StaticString, _ values: [String],
    _ sums: [Int]
  ) -> MetricFamily {
    MetricFamily(
      name, kind, help,
      samples: zip(values, sums).map { MetricFamily.Sample(labels: [label: $0], value: Double($1)) })
  }
}
