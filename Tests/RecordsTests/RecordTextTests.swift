import Bytes
import Foundation
import Policy
import Testing

@testable import Records

@Suite struct RecordTextTests {
  /// What a hostile client may put anywhere.
  private static let nasty = "a\"b\\c\r\n\u{1B}[2J\u{0}\u{7F}\u{85}é"

  private func exchange(_ text: String) -> ExchangeRecord {
    var record = ExchangeRecord(
      started: 1_000, ended: 2_500, identifier: 0xAB, lane: text, client: "127.0.0.1:1", context: .web,
      clientProtocol: "http/1.1", method: text, url: RecordURL(text: text), status: 502, action: .deny,
      decidedBy: .trust,
      rule: "**.a.test",
      ats: ATSVerdict(outcome: .fail, violations: ["minimum-tls", "key-size"]), os: "18.4")
    record.origin = ExchangeRecord.Origin(
      address: "[::1]:443", isReused: true,
      tls: ExchangeRecord.TLS(version: "TLSv1.3", cipher: "TLS_AES_128_GCM_SHA256", alpn: nil, isResumed: false),
      pins: ["sha256/x="], matchedPin: nil, identity: text)
    record.request.byteCount = 3
    record.request.framing = "chunked"
    record.request.sha256 = [1, 2]
    record.request.sentSha256 = [1, 2]
    record.request.isSuspectedStripped = true
    record.response.byteCount = 4
    record.response.framing = "close"
    record.timing.total = 1_500_000_000
    record.timing.dns = 1_000
    record.failure = ExchangeRecord.Failure(
      error: .serverCertificateUntrusted, proxyStatus: .tlsCertificateError, detail: text)
    return record
  }

  private func lines(_ format: RecordText.Format, _ text: String) -> [String] {
    let out = ByteQueue()
    let writer = RecordText(format: format)
    writer.append(exchange(text), to: out)
    writer.append(
      TunnelRecord(
        ended: 5, lane: text, client: "127.0.0.1:1", target: text, sni: text, alpn: [text, "h2"], sentByteCount: 1,
        receivedByteCount: 2, duration: 3_000_000, isSuspectedPinning: true, detail: text), to: out)
    writer.append(
      LogEvent(.warning, "client-refused", [("client", .text(text)), ("count", .number(7))]), at: 9, to: out)
    return String(decoding: out.bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false).map(
      String.init)
  }

  @Test func `JSON lines are valid and complete`() throws {
    let lines = lines(.json, Self.nasty)
    #expect(lines.count == 4 && lines[3].isEmpty)
    let objects = try lines.prefix(3).map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    #expect(objects.map { $0["event"] as? String } == ["exchange", "tunnel", "client-refused"])
    let exchange = objects[0]
    #expect(
      Set(exchange.keys) == [
        "time", "started", "level", "event", "id", "lane", "client", "context", "protocol", "method", "url", "status",
        "decision", "ats", "origin", "request", "response", "timing", "error",
      ])
    #expect(exchange["url"] as? String == Self.nasty && exchange["id"] as? String == "00000000000000ab")
    #expect((exchange["time"] as? String) == "1970-01-01T00:00:02.500Z")
    #expect((exchange["decision"] as? [String: Any])?["rule"] as? String == "**.a.test")
    let request = try #require(exchange["request"] as? [String: Any])
    #expect(request["sha256"] as? String == "0102" && request["suspectedStripped"] as? Bool == true)
    let error = try #require(exchange["error"] as? [String: Any])
    #expect(error["code"] as? Int == -1202 && error["name"] as? String == "ServerCertificateUntrusted")
    #expect(error["proxyStatus"] as? String == "tls_certificate_error")
    #expect(objects[1]["suspectedPinning"] as? Bool == true && objects[1]["sent"] as? Int == 1)
    #expect(objects[1]["alpn"] as? [String] == [Self.nasty, "h2"])
    #expect(objects[2]["count"] as? Int == 7 && objects[2]["level"] as? String == "warning")
  }

  @Test func `a record without origin, error and status says so`() throws {
    var record = exchange("x")
    record.origin = nil
    record.failure = nil
    record.status = nil
    record.decidedBy = nil
    let out = ByteQueue()
    RecordText(format: .json).append(record, to: out)
    let object = try #require(try JSONSerialization.jsonObject(with: Data(Array(out.bytes))) as? [String: Any])
    #expect(object["error"] == nil && object["origin"] is NSNull && object["status"] is NSNull)
    #expect((object["decision"] as? [String: Any])?["decidedBy"] is NSNull)
  }

  @Test func `a device that speaks TLS has its side told too`() throws {
    var record = exchange("x")
    record.clientTLS = ExchangeRecord.TLS(version: "TLSv1.2", cipher: "y", alpn: "h2", isResumed: true)
    let out = ByteQueue()
    RecordText(format: .json).append(record, to: out)
    let object = try #require(try JSONSerialization.jsonObject(with: Data(Array(out.bytes))) as? [String: Any])
    let tls = try #require(object["clientTLS"] as? [String: Any])
    #expect(tls["version"] as? String == "TLSv1.2" && tls["alpn"] as? String == "h2" && tls["resumed"] as? Bool == true)
  }

  @Test func `text lines are single lines without control characters`() {
    let lines = lines(.text, Self.nasty)
    #expect(lines.count == 4 && lines[3].isEmpty)
    for line in lines.prefix(3) {
      #expect(!line.unicodeScalars.contains { $0.properties.generalCategory == .control }, "\(line)")
    }
    #expect(lines[0].hasPrefix("1970-01-01T00:00:02.500Z 127.0.0.1:1 ") && lines[0].contains("502"))
    #expect(lines[1].contains("TUNNEL"))
  }
}
