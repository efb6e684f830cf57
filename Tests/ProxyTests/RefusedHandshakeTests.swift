import Names
import Policy
import TLS
import Testing

@testable import Proxy

/// The table of ends that a device meets under `onTrustFailure: refuse`.
@Suite struct RefusedHandshakeTests {
  private func host() throws -> Host { try Host("a.test") }

  private func trust(_ decidedBy: DecisionStep, violations: [String] = [], alert: UInt8? = nil) -> RefusedHandshake {
    var failure = OriginFailure(
      refusal: Refusal(
        status: 502, error: .secureConnectionFailed, proxyError: .tlsProtocolError, decidedBy: decidedBy, title: "t",
        detail: "d"))
    failure.ats = ATSVerdict(outcome: violations.isEmpty ? .pass : .fail, violations: violations)
    failure.isTrustFailure = true
    failure.alert = alert
    return RefusedHandshake(failure)
  }

  @Test(arguments: [
    ("minimum-tls", UInt8(70)), ("forward-secrecy", 40), ("cipher-suite", 40), ("key-size", 71),
    ("signature-hash", 71),
  ])
  func `each rule of App Transport Security has its alert`(_ violation: String, _ alert: UInt8) {
    #expect(trust(.ats, violations: [violation, "trust"]) == .alert(alert))
    #expect(trust(.ats, violations: [violation], alert: 112) == .alert(alert), "whatever the origin said")
  }

  @Test func `trust and pins are handshake_failure, whatever ATS observed beside them`() {
    #expect(trust(.trust) == .alert(40))
    #expect(trust(.trust, violations: ["minimum-tls"]) == .alert(40))
  }

  @Test func `an origin's own alert about itself is passed on, one about certificates is not`() {
    for alert in [UInt8(40), 70, 71, 80, 112] { #expect(trust(.trust, alert: alert) == .alert(alert)) }
    for alert in [UInt8(0), 42, 46, 48, 49, 90, 100, 116, 255] { #expect(trust(.trust, alert: alert) == .alert(40)) }
  }

  @Test func `an origin that is not there is a reset`() throws {
    let host = try host()
    let refusals: [Refusal] = [
      .nameNotFound(host: host), .dnsTimeout(host: host), .connectionRefused(host: host, address: "192.0.2.1:443"),
      .unroutable(host: host, address: "192.0.2.1:443"), .connectTimeout(host: host, after: .seconds(1)),
      .originClosed(host: host),
    ]
    for refusal in refusals { #expect(RefusedHandshake(OriginFailure(refusal: refusal)) == .reset, "\(refusal.title)") }
  }

  @Test func `what is no fault of the origin is told in HTTP`() throws {
    let host = try host()
    let refusals: [Refusal] = [
      .internalError(detail: "d"), .loop(.ownListener, host: host), .clientCertificateRequired(host: host),
      .clientCertificateRejected(host: host, identity: "corp"),
      .destinationProhibited(host: host, address: .v4(0x7F00_0001)),
    ]
    for refusal in refusals { #expect(RefusedHandshake(OriginFailure(refusal: refusal)) == .none, "\(refusal.title)") }
  }

  @Test func `how a handshake with an origin ended`() {
    #expect(TLSFailure.alert(112).endingAlert == 112)
    #expect(TLSFailure.versionMismatch.endingAlert == 70 && TLSFailure.noSharedCipher.endingAlert == 40)
    #expect(TLSFailure.notTLS.endingAlert == nil && TLSFailure.truncated.endingAlert == nil)
  }
}
