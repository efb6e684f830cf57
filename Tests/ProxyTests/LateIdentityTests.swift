import Testing

@testable import Proxy

@Suite struct LateIdentityTests {
  /// An answer: over which version, its status, and whether a certificate was asked for.
  private enum Answer {
    case http1(Int, wasAsked: Bool = false)
    case http2(Int, wasAsked: Bool = false)
  }

  /// What each of some answers in a row led to, and what is found at the end.
  private func heard(_ answers: Answer...) -> (moves: [Bool], finding: LateIdentity.Finding) {
    var late = LateIdentity()
    let moves = answers.map { answer in
      switch answer {
      case .http1(let status, let wasAsked): late.answeredOverHTTP1(status: status, wasAsked: wasAsked)
      case .http2(let status, let wasAsked): late.answeredOverHTTP2(status: status, wasAsked: wasAsked)
      }
    }
    return (moves, late.finding)
  }

  @Test func `a refusal over HTTP/2 leads to HTTP/1.1, and a request for a certificate there confirms it`() {
    #expect(heard(.http2(200)) == ([false], .unknown))
    #expect(heard(.http2(403)) == ([true], .trying))
    #expect(heard(.http2(403), .http2(403)) == ([true, true], .trying), "another stream that was on its way")
    #expect(heard(.http2(421), .http1(200)) == ([true, false], .trying))
    #expect(heard(.http2(403), .http1(403, wasAsked: true)) == ([true, false], .needed))
    #expect(
      heard(.http2(403), .http1(200, wasAsked: true), .http1(403), .http2(403)) == (
        [true, false, false, true], .needed
      )
    )
  }

  @Test func `one that is refused over HTTP/1.1 too had another reason`() {
    #expect(heard(.http2(421), .http1(421), .http2(403)) == ([true, true, false], .refuted))
    #expect(heard(.http2(403), .http1(200), .http1(403)) == ([true, false, true], .refuted))
  }

  @Test func `an origin that asked in the handshake means what it says`() {
    #expect(heard(.http2(403, wasAsked: true), .http1(403)) == ([false, false], .unknown))
  }
}
