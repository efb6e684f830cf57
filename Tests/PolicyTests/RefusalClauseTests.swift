import Names
import Testing

@testable import Policy

@Suite struct RefusalClauseTests {
  /// Whatever is passed as a clause comes as a sentence somewhere.
  private static let refusals: [Refusal] = {
    guard let host = try? Host("a.test"), let address = try? HostPort(authority: "p.test:1", defaultPort: nil) else {
      return []
    }
    let proxy = UpstreamProxy(kind: .http, address: address)
    let sentence = "The value of a field holds a control byte."
    return [
      .malformed(detail: sentence), .internalError(detail: sentence), .originSpokeNoHTTP(host: host, detail: sentence),
      .nameLookupFailed(host: host, detail: sentence), .upstreamProxyNotFound(proxy, detail: sentence),
      .upstreamProxyUntrusted(proxy, detail: sentence), .upstreamProxySpeaksNoTLS(proxy, detail: sentence),
      .upstreamProxyConfused(proxy, detail: sentence), .upstreamProxyConfused(proxy, detail: "it said nothing"),
      .cleartext(scheme: .http, host: host, port: 80, reason: sentence),
    ]
  }()

  @Test func `no text ends twice`() {
    #expect(Self.refusals.count == 10)
    for refusal in Self.refusals {
      #expect(!refusal.detail.contains("..") && !refusal.detail.contains(": The"), "\(refusal.detail)")
    }
    #expect(
      Self.refusals.first?.detail == "The proxy cannot read this request: the value of a field holds a control byte.")
    #expect(Self.refusals[8].detail.contains("asked. It said nothing. Check"))
  }

  @Test(arguments: [
    ("The end.", "the end"), ("A b", "a b"), ("DNS is down.", "DNS is down"), ("TLS", "TLS"), ("", ""), (".", ""),
    ("it is so", "it is so"), ("X509 is old", "X509 is old"),
  ])
  func `a sentence becomes a clause`(sentence: String, clause: String) {
    #expect(sentence.clause == clause)
  }
}
