import Testing

@testable import Proxy

@Suite struct LateIdentityTests {
  @Test func `a refusal over HTTP/2 leads to HTTP/1.1, and a request for a certificate there confirms it`() {
    var late = LateIdentity()
    #expect(!late.answeredOverHTTP2(status: 200, wasAsked: false) && late.finding == .unknown)
    #expect(late.answeredOverHTTP2(status: 403, wasAsked: false) && late.finding == .trying)
    #expect(late.answeredOverHTTP2(status: 403, wasAsked: false), "another stream that was on its way")
    #expect(!late.answeredOverHTTP1(status: 200, wasAsked: false) && late.finding == .trying)
    #expect(!late.answeredOverHTTP1(status: 403, wasAsked: true) && late.finding == .needed)
    #expect(!late.answeredOverHTTP1(status: 403, wasAsked: false) && late.finding == .needed)
  }

  @Test func `one that is refused over HTTP/1.1 too had another reason`() {
    var late = LateIdentity()
    #expect(late.answeredOverHTTP2(status: 421, wasAsked: false))
    #expect(late.answeredOverHTTP1(status: 421, wasAsked: false) && late.finding == .refuted)
    #expect(!late.answeredOverHTTP2(status: 403, wasAsked: false) && late.finding == .refuted)
  }

  @Test func `an origin that asked in the handshake means what it says`() {
    var late = LateIdentity()
    #expect(!late.answeredOverHTTP2(status: 403, wasAsked: true) && late == LateIdentity())
    #expect(!late.answeredOverHTTP1(status: 403, wasAsked: false) && late == LateIdentity())
  }
}
