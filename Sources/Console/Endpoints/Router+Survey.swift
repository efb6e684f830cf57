import Bytes
import Records

/// What the history comes to: numbers, hosts, and the course of time.
extension Router {
  /// `{count}` of the exchanges that fit.
  func count(_ request: ConsoleRequest) -> Outcome {
    let query: ExchangeQuery
    do throws(ControlFault) {
      query = try ExchangeQuery(request.query, allowing: ExchangeParameter.ofCounts)
    } catch {
      return .now(.problem(error))
    }
    guard let history = control.history else { return .now(Self.noHistory) }
    return .work { Self.reading { .json(Array("{\"count\":\(try history.count(query))}".utf8)) } }
  }

  /// `{hosts: [those with the newest exchange first]}`.
  func hosts() -> Outcome {
    guard let history = control.history else { return .now(Self.noHistory) }
    return .work { Self.reading { .json(Self.document(try history.hosts())) } }
  }

  /// `{start, step, buckets: [oldest first]}`; steps without an exchange are left out.
  func series(_ request: ConsoleRequest) -> Outcome {
    let minutes: Int
    do throws(ControlFault) {
      minutes = try SeriesParameter.minutes(request.query)
    } catch {
      return .now(.problem(error))
    }
    guard let history = control.history else { return .now(Self.noHistory) }
    let span = SeriesParameter.span(minutes: minutes, now: Log.now)
    return .work { Self.reading { .json(Self.document(try history.series(span), span)) } }
  }

  // MARK: documents

  static func document(_ hosts: [HostSummary]) -> [UInt8] {
    let out = ByteQueue()
    var json = JSONText(into: out)
    json.beginObject()
    json.beginArray("hosts")
    for host in hosts { write(host, to: &json) }
    json.endArray()
    json.endObject()
    return Array(out.bytes)
  }

  private static func write(_ host: HostSummary, to json: inout JSONText) {
    json.beginObject()
    json.string("host", host.host)
    if let port = host.port { json.integer("port", port) } else { json.null("port") }
    json.boolean("encrypted", host.isEncrypted)
    json.integer("requests", host.requests)
    json.integer("failed", host.failed)
    json.beginObject("actions")
    json.integer("intercept", host.intercepted)
    json.integer("bypass", host.bypassed)
    json.integer("deny", host.denied)
    json.endObject()
    json.beginObject("ats")
    json.integer("pass", host.passedATS)
    json.integer("fail", host.failedATS)
    json.integer("off", host.withoutATS)
    json.endObject()
    json.beginObject("violations")
    for (name, count) in host.violations.sorted(by: { $0.key < $1.key }) { json.integer(named: name, count) }
    json.endObject()
    if let exception = host.exception { json.property("exception", exception) } else { json.null("exception") }
    json.beginArray("unhelped")
    for name in host.unhelped { json.string(nil, name) }
    json.endArray()
    json.time("first", milliseconds: host.first)
    json.time("last", milliseconds: host.last)
    json.endObject()
  }

  static func document(_ buckets: [SeriesBucket], _ span: SeriesSpan) -> [UInt8] {
    let out = ByteQueue()
    var json = JSONText(into: out)
    json.beginObject()
    json.time("start", milliseconds: span.start)
    json.integer("step", Int(span.step))
    json.integer("steps", span.stepCount)
    json.beginArray("buckets")
    for bucket in buckets where bucket.requests > 0 { write(bucket, to: &json) }
    json.endArray()
    json.endObject()
    return Array(out.bytes)
  }

  private static func write(_ bucket: SeriesBucket, to json: inout JSONText) {
    json.beginObject()
    json.time("time", milliseconds: bucket.time)
    json.beginObject("verdicts")
    for kind in SeriesBucket.Kind.allCases { json.integer(kind.name, bucket.counts[kind.rawValue]) }
    json.endObject()
    json.beginObject("latency")
    for (name, share) in [("p50", 0.5), ("p90", 0.9), ("p99", 0.99)] as [(StaticString, Double)] {
      json.milliseconds(name, nanoseconds: bucket.quantile(share).map { UInt64($0 * 1_000_000) })
    }
    json.endObject()
    json.endObject()
  }
}
