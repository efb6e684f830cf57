import Names
import Policy
import Testing

struct RefusalTextTests {
  private func all() throws -> [(refusal: Refusal, status: Int, code: Int?, type: String)] {
    let host = try Host("a.test")
    return [
      (.accessDenied(), 407, nil, "http_request_denied"),
      (.loop(.via, host: host), 508, -1007, "proxy_loop_detected"),
      (.loop(.ownListener, host: host), 508, -1007, "proxy_loop_detected"),
      (.destinationProhibited(host: host, address: .v4(0x7F00_0001)), 403, -1004, "destination_ip_prohibited"),
      (.ruleRejects(rule: "**.a.test", host: host), 403, -1, "http_request_denied"),
      (.defaultRejects(host: host), 403, -1, "http_request_denied"),
      (.cleartext(scheme: .http, host: host, port: 80, reason: "no key permits it"), 403, -1022, "http_request_denied"),
      (.cleartextNotBypassed(scheme: .ws, host: host, port: 81), 403, -1022, "http_request_denied"),
      (.malformed(detail: "a field has no colon"), 400, nil, "http_request_error"),
      (.malformedTarget(.badPort("x")), 400, nil, "http_request_error"),
      (.misdirected(tunnel: HostPort(host: host, port: 443)), 421, nil, "http_request_error"),
      (.headTooLarge(limit: 65536), 431, nil, "http_request_error"),
      (.requestTimeout(after: .seconds(10)), 408, nil, "http_request_error"),
      (.connectionLimit(20), 503, nil, "connection_limit_reached"),
      (.internalError(detail: "minting failed"), 500, -1, "proxy_internal_error"),
      (.nameNotFound(host: host), 502, -1003, "dns_error"),
      (.nameLookupFailed(host: host, detail: "SERVFAIL"), 502, -1003, "dns_error"),
      (.dnsTimeout(host: host), 504, -1001, "dns_timeout"),
      (.connectionRefused(host: host, address: "192.0.2.1:443"), 502, -1004, "connection_refused"),
      (.unroutable(host: host, address: "192.0.2.1:443"), 502, -1004, "destination_ip_unroutable"),
      (.connectTimeout(host: host, after: .milliseconds(1500)), 504, -1001, "connection_timeout"),
      (.originSilent(host: host, after: .seconds(60)), 504, -1001, "connection_read_timeout"),
      (.originClosed(host: host), 502, -1005, "connection_terminated"),
      (.originSpokeNoHTTP(host: host, detail: "a status line was expected"), 502, -1005, "http_protocol_error"),
      (.clientCertificateRequired(host: host), 502, -1206, "tls_alert_received"),
      (.clientCertificateRejected(host: host, identity: "corp"), 502, -1205, "tls_alert_received"),
    ]
  }

  @Test func statusCodeAndType() throws {
    for entry in try all() {
      #expect(entry.refusal.status == entry.status, "\(entry.refusal.title)")
      #expect(entry.refusal.error?.code == entry.code, "\(entry.refusal.title)")
      #expect(entry.refusal.proxyError.rawValue == entry.type, "\(entry.refusal.title)")
    }
  }

  @Test func textsAreSentencesInASCII() throws {
    for (refusal, _, _, _) in try all() {
      #expect(
        !refusal.title.isEmpty && refusal.title.utf8.count < 60 && !refusal.title.hasSuffix("."), "\(refusal.title)")
      #expect(refusal.detail.hasSuffix(".") && refusal.detail.utf8.count > 40, "\(refusal.detail)")
      #expect((refusal.title + refusal.detail).utf8.allSatisfy { (0x20...0x7E).contains($0) }, "\(refusal.detail)")
    }
  }

  @Test func textsNameWhatRefused() throws {
    let host = try Host("a.test")
    #expect(
      Refusal.cleartext(scheme: .http, host: host, port: 8080, reason: "r").detail.contains(
        "http://a.test:8080 is not encrypted, and App Transport Security"))
    #expect(Refusal.ruleRejects(rule: "**.a.test", host: host).detail.contains("\"**.a.test\" of rules.hosts"))
    #expect(Refusal.connectTimeout(host: host, after: .milliseconds(1500)).detail.contains("after 1500 ms"))
    #expect(Refusal.requestTimeout(after: .seconds(10)).detail.contains("after 10 s"))
  }
}
