import Foundation
import HTTP
import Testing

/// The byte sequences of `h1_messages.json`.
struct MessageVector: Decodable, Sendable, CustomTestStringConvertible {
  struct Expected: Decodable, Sendable {
    var method: String?
    var target: String?
    var status: Int?
    var reason: String?
    var version: String
    var fields: [[String]]
    var body: String?
    var trailers: [[String]]?
    var complete: Bool?
  }

  var id: String
  var kind: String
  var raw: String
  var outcome: String
  var messages: [Expected]

  var testDescription: String { id }

  static func load(kind: String) throws -> [MessageVector] {
    let file = try #require(Bundle.module.url(forResource: "Data/h1_messages", withExtension: "json"))
    let all = try JSONDecoder().decode([MessageVector].self, from: Data(contentsOf: file))
    return all.filter { $0.kind == kind }
  }

  /// The requests mostly lack the Host field that is demanded here; it is put in front of the fields of the first one.
  var rawWithHost: String {
    guard !raw.lowercased().contains("host:"), let range = raw.range(of: " HTTP/1.1\r\n") else { return raw }
    var raw = raw
    raw.insert(contentsOf: "Host: a.test\r\n", at: range.upperBound)
    return raw
  }

  /// Lawful messages that are refused here, with the reason.
  static let stricter: [String: String] = [
    "m143": "transfer coding other than chunked", "m144": "several Transfer-Encoding fields",
    "m180": "bytes before a response", "m220": "bytes before a response", "m238": "HTTP/0.9",
    "m242": "transfer coding other than chunked", "m243": "several Transfer-Encoding fields",
  ]
}

@Suite("Messages of the vectors")
struct MessageVectorTests {
  @Test(
    "requests are read alike however they are cut, and as the vectors say",
    arguments: try MessageVector.load(kind: "request"))
  func requests(_ vector: MessageVector) {
    let bytes = latin1(vector.rawWithHost)
    // Behind a close or an upgrade nothing is read as a request any more; the connection's owner sees to that.
    let stop: (Message) -> Bool = { message in
      let isLast = vector.outcome == "closed" || vector.outcome == "upgrade"
      return isLast && (message.request?.persists == false || vector.outcome == "upgrade")
    }
    let whole = Transcript.requests([bytes[...]], stopAfter: stop)
    for pieces in cuts(bytes) {
      let cut = Transcript.requests(pieces, bite: pieces.count > 2 ? 1 : .max, stopAfter: stop)
      #expect(cut.messages == whole.messages)
      #expect(cut.fault == whole.fault)
    }
    check(whole, vector)
  }

  @Test(
    "responses are read alike however they are cut, and as the vectors say",
    arguments: try MessageVector.load(kind: "response"))
  func responses(_ vector: MessageVector) {
    let bytes = latin1(vector.raw)
    let methods = [HTTPMethod](repeating: .get, count: vector.outcome == "closed" ? 1 : max(1, vector.messages.count))
    let stop: (Message) -> Bool = { message in
      vector.outcome == "upgrade"
        || vector.outcome == "closed" && message.response?.persists(framing: message.framing) == false
    }
    let whole = Transcript.responses([bytes[...]], to: methods, stopAfter: stop)
    for pieces in cuts(bytes) {
      let cut = Transcript.responses(pieces, to: methods, bite: pieces.count > 2 ? 1 : .max, stopAfter: stop)
      #expect(cut.messages == whole.messages)
      #expect(cut.fault == whole.fault)
    }
    check(whole, vector)
  }

  private func check(_ transcript: Transcript, _ vector: MessageVector) {
    guard vector.outcome != "error" else {
      #expect(transcript.fault != nil, "must be refused")
      return
    }
    guard MessageVector.stricter[vector.id] == nil else {
      #expect(transcript.fault != nil && transcript.fault?.kind != .incomplete)
      return
    }
    #expect(transcript.messages.count == vector.messages.count)
    for (message, expected) in zip(transcript.messages, vector.messages) { check(message, expected) }
    if vector.messages.last?.complete == true { #expect(transcript.fault == nil) }
  }

  private func check(_ message: Message, _ expected: MessageVector.Expected) {
    let list = message.request?.fields ?? message.response?.fields ?? HeaderList()
    let isHostAdded = message.request != nil && !expected.fields.contains { $0[0].lowercased() == "host" }
    let read = (0..<list.count).map { [text(list[$0].name), text(list[$0].value)] }
    let wanted = expected.fields.map { [$0[0], $0[1].trimmingCharacters(in: .init(charactersIn: " \t"))] }
    #expect((isHostAdded && read.first == ["Host", "a.test"] ? Array(read.dropFirst()) : read) == wanted)
    #expect(text(message.body) == expected.body ?? "")
    // A response without a length ends with the connection here, which the vectors call incomplete.
    if message.framing != .untilClose { #expect(message.isComplete == expected.complete ?? true) }
    if let request = message.request {
      #expect(request.method.description == expected.method)
      #expect(text(request.target) == expected.target)
      #expect(request.version == (expected.version == "1.0" ? .http10 : .http11))
    }
    if let response = message.response {
      #expect(response.status == expected.status)
      #expect(text(response.reason) == expected.reason ?? "")
    }
    if let trailers = expected.trailers {
      let list = message.trailers ?? HeaderList()
      #expect((0..<list.count).map { [text(list[$0].name), text(list[$0].value)] } == trailers)
    }
  }
}
