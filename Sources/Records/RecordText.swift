import Bytes
import Policy

/// Writes records as one line each, as JSON or for people.
public struct RecordText: Sendable {
  public enum Format: String, Sendable { case json, text }

  public let format: Format

  public init(format: Format) {
    self.format = format
  }

  public func append(_ record: ExchangeRecord, to out: ByteQueue) {
    switch format {
    case .json: appendJSON(record, to: out)
    case .text: appendText(record, to: out)
    }
    out.append(UInt8(ascii: "\n"))
  }

  public func append(_ record: TunnelRecord, to out: ByteQueue) {
    switch format {
    case .json: appendJSON(record, to: out)
    case .text: appendText(record, to: out)
    }
    out.append(UInt8(ascii: "\n"))
  }

  public func append(_ event: LogEvent, at milliseconds: Int64, to out: ByteQueue) {
    switch format {
    case .json: appendJSON(event, at: milliseconds, to: out)
    case .text: appendText(event, at: milliseconds, to: out)
    }
    out.append(UInt8(ascii: "\n"))
  }

  /// The record as one JSON object, without a line end, whatever the format.
  public func appendObject(_ record: ExchangeRecord, to out: ByteQueue) {
    appendJSON(record, to: out)
  }

  // MARK: JSON

  private func appendJSON(_ record: ExchangeRecord, to out: ByteQueue) {
    var json = JSONText(into: out)
    json.beginObject()
    json.time("time", milliseconds: record.ended)
    json.time("started", milliseconds: record.started)
    json.token("level", "info")
    json.token("event", "exchange")
    json.hexadecimal("id", record.identifier)
    Self.members(of: record, in: &json)
    json.endObject()
  }

  /// The members that the record of an exchange shares with an explained decision.
  public static func members(of record: ExchangeRecord, in json: inout JSONText) {
    json.string("lane", record.lane)
    json.string("client", record.client)
    json.string("context", record.context.rawValue)
    json.token("protocol", record.clientProtocol)
    if let stream = record.stream { json.integer("stream", Int(stream)) }
    if let tls = record.clientTLS { members(of: tls, as: "clientTLS", in: &json) }
    json.string("method", record.method)
    json.url("url", record.url)
    if let status = record.status { json.integer("status", status) } else { json.null("status") }
    json.beginObject("decision")
    json.string("action", record.action.rawValue)
    json.optional("decidedBy", record.decidedBy?.rawValue)
    json.optional("rule", record.rule)
    json.endObject()
    json.beginObject("ats")
    json.string("verdict", record.ats.outcome.rawValue)
    json.beginArray("violations")
    for violation in record.ats.violations { json.string(nil, violation) }
    json.endArray()
    json.string("os", record.os)
    json.endObject()
    if let origin = record.origin { members(of: origin, in: &json) } else { json.null("origin") }
    members(of: record.request, in: &json)
    json.beginObject("response")
    json.integer("bytes", record.response.byteCount)
    json.token("framing", record.response.framing)
    json.boolean("fromCache", record.response.isFromCache)
    if record.response.hasTrailers { json.boolean("trailers", true) }
    json.endObject()
    members(of: record.timing, in: &json)
    guard let failure = record.failure else { return }
    json.beginObject("error")
    if let error = failure.error {
      json.integer("code", error.code)
      json.string("name", error.name)
    } else {
      json.null("code")
      json.null("name")
    }
    json.string("proxyStatus", failure.proxyStatus.rawValue)
    json.string("detail", failure.detail)
    json.endObject()
  }

  private static func members(of origin: ExchangeRecord.Origin, in json: inout JSONText) {
    json.beginObject("origin")
    json.string("address", origin.address)
    if let proxy = origin.proxy { json.string("proxy", proxy) }
    json.boolean("reused", origin.isReused)
    if let tls = origin.tls { members(of: tls, as: "tls", in: &json) } else { json.null("tls") }
    json.beginArray("pins")
    for pin in origin.pins { json.string(nil, pin) }
    json.endArray()
    json.optional("matchedPin", origin.matchedPin)
    json.optional("identity", origin.identity)
    if let asked = origin.clientCertificate { members(of: asked, in: &json) }
    if let transparency = origin.transparency { members(of: transparency, in: &json) }
    json.endObject()
  }

  private static func members(of tls: ExchangeRecord.TLS, as key: StaticString, in json: inout JSONText) {
    json.beginObject(key)
    json.string("version", tls.version)
    json.string("cipher", tls.cipher)
    json.optional("alpn", tls.alpn)
    json.boolean("resumed", tls.isResumed)
    json.endObject()
  }

  private static func members(of request: ExchangeRecord.Request, in json: inout JSONText) {
    json.beginObject("request")
    json.integer("bytes", request.byteCount)
    json.token("framing", request.framing)
    if let digest = request.sha256 { json.hexadecimal("sha256", digest) } else { json.null("sha256") }
    if let digest = request.sentSha256 { json.hexadecimal("sentSha256", digest) } else { json.null("sentSha256") }
    json.boolean("restored", request.restoredByteCount != nil)
    if let count = request.restoredByteCount { json.integer("sentBytes", count) }
    if request.hasTrailers { json.boolean("trailers", true) }
    if request.isSuspectedStripped { json.boolean("suspectedStripped", true) }
    json.endObject()
  }

  private static func members(of timing: ExchangeRecord.Timing, in json: inout JSONText) {
    json.beginObject("timing")
    json.milliseconds("queued", nanoseconds: timing.queued)
    json.milliseconds("dns", nanoseconds: timing.dns)
    json.milliseconds("connect", nanoseconds: timing.connect)
    json.milliseconds("tls", nanoseconds: timing.tls)
    json.milliseconds("firstByte", nanoseconds: timing.firstByte)
    json.milliseconds("total", nanoseconds: timing.total)
    json.endObject()
  }

  private func appendJSON(_ record: TunnelRecord, to out: ByteQueue) {
    var json = JSONText(into: out)
    json.beginObject()
    json.time("time", milliseconds: record.ended)
    json.token("level", "info")
    json.token("event", "tunnel")
    json.string("lane", record.lane)
    json.string("client", record.client)
    json.string("target", record.target)
    json.optional("sni", record.sni)
    json.beginArray("alpn")
    for name in record.alpn { json.string(nil, name) }
    json.endArray()
    json.integer("sent", record.sentByteCount)
    json.integer("received", record.receivedByteCount)
    json.milliseconds("duration", nanoseconds: record.duration)
    if let proxy = record.proxy { json.string("proxy", proxy) }
    if record.isSuspectedPinning { json.boolean("suspectedPinning", true) }
    if record.hasFailedOpen { json.boolean("failedOpen", true) }
    if let detail = record.detail { json.string("detail", detail) }
    json.endObject()
  }

  private func appendJSON(_ event: LogEvent, at milliseconds: Int64, to out: ByteQueue) {
    var json = JSONText(into: out)
    json.beginObject()
    json.time("time", milliseconds: milliseconds)
    json.string("level", event.level.name)
    json.string("event", event.name)
    for (key, value) in event.members {
      switch value {
      case .text(let text): json.string(named: key, text)
      case .number(let number): json.integer(named: key, number)
      }
    }
    json.endObject()
  }

  // MARK: text

  private func appendText(_ record: ExchangeRecord, to out: ByteQueue) {
    Timestamp.append(milliseconds: record.ended, to: out)
    let by = record.decidedBy.map { " by \($0.rawValue)" } ?? ""
    let rule = record.rule.map { " \($0)" } ?? ""
    out.append(" \(record.client) \(Self.oneLine(record.method)) \(Self.oneLine(record.url.text)) ")
    if let status = record.status { JSONText.append(status, to: out) } else { out.append("-") }
    out.append(" \(record.response.byteCount) B in \(record.timing.total / 1_000_000) ms, \(record.action.rawValue)")
    out.append("\(by)\(rule)")
    if !record.ats.violations.isEmpty { out.append(", ATS: \(record.ats.violations.joined(separator: " "))") }
    guard let failure = record.failure else { return }
    let code = failure.error.map { "\($0.code) \($0.name)" } ?? failure.proxyStatus.rawValue
    out.append(", \(code): \(Self.oneLine(failure.detail))")
  }

  private func appendText(_ record: TunnelRecord, to out: ByteQueue) {
    Timestamp.append(milliseconds: record.ended, to: out)
    out.append(" \(record.client) TUNNEL \(Self.oneLine(record.target)), sent \(record.sentByteCount) B")
    out.append(", received \(record.receivedByteCount) B in \(record.duration / 1_000_000) ms")
    if record.isSuspectedPinning {
      out.append(", the client refused our certificate (it pins, or does not trust our authority)")
    }
    if record.hasFailedOpen { out.append(", failed open") }
    if let detail = record.detail { out.append(", \(Self.oneLine(detail))") }
  }

  private func appendText(_ event: LogEvent, at milliseconds: Int64, to out: ByteQueue) {
    Timestamp.append(milliseconds: milliseconds, to: out)
    out.append(" \(event.level.name): \(event.name)")
    for (key, value) in event.members {
      switch value {
      case .text(let text): out.append(" \(key)=\(Self.oneLine(text))")
      case .number(let number): out.append(" \(key)=\(number)")
      }
    }
  }

  /// Control characters, those above ASCII too, would let a client forge lines of the log or steer the terminal.
  private static func oneLine(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 < 0x20 || $0 >= 0x7F }) else { return text }
    return String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { $0.properties.generalCategory == .control ? "\u{FFFD}" : $0 }))
  }
}
