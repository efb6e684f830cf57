import Foundation

/// What came back.
struct DemoAnswer {
  let status: Int
  /// The subject of who signed the certificate that the device saw; nil without TLS.
  let issuer: String?
  /// The refusal, if it is one.
  let problem: Problem?

  /// The members of a problem document that the demo shows.
  struct Problem: Decodable {
    struct URLError: Decodable {
      let code: Int
      let name: String
    }

    let detail: String
    let nsurlError: URLError?
  }

  init(_ message: [UInt8], issuer: String?) throws(DemoFault) {
    let text = String(decoding: message, as: UTF8.self)
    let words = text.prefix { $0 != "\r\n" }.split(separator: " ")
    guard words.count >= 2, let status = Int(words[1]) else { throw DemoFault(text: "the answer is no HTTP") }
    self.status = status
    self.issuer = issuer
    let body = text.range(of: "\r\n\r\n").map { Data(text[$0.upperBound...].utf8) }
    problem = body.flatMap { try? JSONDecoder().decode(Problem.self, from: $0) }
  }
}
