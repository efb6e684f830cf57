import Policy
import Testing

@testable import Records

@Suite struct MetricsTests {
  private func value(_ name: String, in text: String) -> String? {
    text.split(separator: "\n").first { $0.hasPrefix("pinwarden_\(name) ") }?.split(separator: " ").last.map(
      String.init)
  }

  @Test func `loops are summed`() {
    let metrics = Metrics(version: "1.2")
    let loops = (0..<3).map { _ in metrics.makeLoopCounters() }
    for (index, loop) in loops.enumerated() {
      for _ in 0...index { loop.connectionOpened(.socks5) }
      loop.connectionClosed(.socks5)
    }
    let text = metrics.text()
    #expect(value("connections_total{listener=\"socks5\"}", in: text) == "6")
    #expect(value("connections_open{listener=\"socks5\"}", in: text) == "3")
    #expect(value("connections_open{listener=\"explicit\"}", in: text) == "0")
    #expect(value("build_info{version=\"1.2\"}", in: text) == "1")
  }

  @Test func `every verdict has a place of its own`() {
    var places: Set<Int> = []
    for action in Action.all {
      for step in DecisionStep.allCases + [nil] {
        for spoken in HTTPProtocol.allCases { places.insert(LoopCounters.place(action, step, spoken)) }
      }
    }
    #expect(places.count == 81 && places.min() == 0 && places.max() == 80)
    #expect(DecisionStep.allCases.map(\.place) == Array(0..<DecisionStep.count))
  }

  @Test func `every error and violation is counted under its name`() {
    let metrics = Metrics()
    let loop = metrics.makeLoopCounters()
    for error in NSURLError.allCases {
      for proxyError in ProxyErrorType.allCases {
        var outcome = ExchangeOutcome(clientProtocol: .http2, action: .deny, decidedBy: .trust, status: 502)
        outcome.error = error
        outcome.proxyError = proxyError
        outcome.violations = ["cleartext", "something new"]
        loop.exchangeEnded(outcome)
      }
    }
    let text = metrics.text()
    for error in NSURLError.allCases {
      #expect(value("failures_total{error=\"\(error.name)\"}", in: text) == "\(ProxyErrorType.allCases.count)")
    }
    for error in ProxyErrorType.allCases {
      #expect(value("proxy_errors_total{error=\"\(error.rawValue)\"}", in: text) == "\(NSURLError.allCases.count)")
    }
    let all = "\(NSURLError.allCases.count * ProxyErrorType.allCases.count)"
    for violation in ["cleartext", "other"] {
      #expect(value("ats_violations_total{violation=\"\(violation)\"}", in: text) == all)
    }
    #expect(value("responses_total{status=\"5xx\"}", in: text) == all)
  }

  @Test func `statuses have classes, and none is one`() {
    let metrics = Metrics()
    let loop = metrics.makeLoopCounters()
    for status in [101, 200, 204, 304, 404, 599, 999, nil] {
      loop.exchangeEnded(
        ExchangeOutcome(clientProtocol: .http11, action: .bypass, decidedBy: nil, status: status))
    }
    let text = metrics.text()
    let counts = ["1xx", "2xx", "3xx", "4xx", "5xx", "none"].map {
      value("responses_total{status=\"\($0)\"}", in: text)
    }
    #expect(counts == ["1", "2", "1", "1", "1", "2"])
    #expect(value("exchanges_total{action=\"bypass\",decided_by=\"none\",protocol=\"http/1.1\"}", in: text) == "8")
  }

  @Test func `a histogram counts what is below each bound`() {
    let metrics = Metrics()
    let loop = metrics.makeLoopCounters()
    for time: UInt64 in [0, 1_000_000, 1_000_001, 250_000_000, 61_000_000_000] {
      var outcome = ExchangeOutcome(clientProtocol: .http11, action: .intercept, decidedBy: .default, status: 200)
      outcome.total = time
      loop.exchangeEnded(outcome)
    }
    let text = metrics.text()
    let counts = ["0.001", "0.0025", "0.1", "0.25", "60", "+Inf"].map {
      value("exchange_seconds_bucket{le=\"\($0)\"}", in: text)
    }
    #expect(counts == ["2", "3", "3", "4", "4", "5"])
    #expect(value("exchange_seconds_count", in: text) == "5")
    #expect(value("exchange_seconds_sum", in: text).flatMap(Double.init).map { abs($0 - 61.252) < 1e-3 } == true)
    #expect(value("first_byte_seconds_count", in: text) == "0")
  }

  @Test func `numbers are written as Prometheus reads them`() {
    #expect(MetricText.number(3) == "3" && MetricText.number(-2) == "-2" && MetricText.number(0.25) == "0.25")
    #expect(MetricText.number(.infinity) == "+Inf" && MetricText.number(-.infinity) == "-Inf")
    #expect(MetricText.number(.nan) == "NaN" && MetricText.number(1e300) == "1e+300")
  }

  @Test func `a reader sees whole counts while the loop adds`() async {
    let metrics = Metrics()
    let loop = metrics.makeLoopCounters()
    async let adding: Void = {
      for _ in 0..<100_000 { loop.tunnelClosed(sentByteCount: 1, receivedByteCount: 2) }
    }()
    var last = 0.0
    for _ in 0..<50 {
      let now = value("tunnel_bytes_total{direction=\"sent\"}", in: metrics.text()).flatMap(Double.init) ?? -1
      #expect(now >= last)
      last = now
    }
    await adding
    #expect(value("tunnel_bytes_total{direction=\"received\"}", in: metrics.text()) == "200000")
  }
}
