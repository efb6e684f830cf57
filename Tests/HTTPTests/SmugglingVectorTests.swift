import Bytes
import Foundation
import HTTP
import Testing

/// The request heads of `h1_smuggling.json`: a second request is hidden in the body of a first one whose framing is mangled.
@Suite("Request smuggling")
struct SmugglingVectorTests {
  struct File: Decodable {
    struct Head: Decodable {
      var id: String
      var head: String
    }

    var body: String
    var heads: [Head]
  }

  @Test("no mangled head lets the hidden request out, and none is passed on mangled")
  func hiddenRequest() throws {
    let url = try #require(Bundle.module.url(forResource: "Data/h1_smuggling", withExtension: "json"))
    let file = try JSONDecoder().decode(File.self, from: Data(contentsOf: url))
    var passedCount = 0
    for vector in file.heads {
      let bytes = latin1(vector.head + "\r\n" + file.body)
      let whole = Transcript.requests([bytes[...]])
      let single = Transcript.requests(bytes.indices.map { bytes[$0...$0] }, bite: 1)
      #expect(whole.messages == single.messages && whole.fault == single.fault, "\(vector.id)")
      #expect(whole.messages.count <= 1, "\(vector.id)")
      for message in whole.messages {
        guard let head = message.request else { continue }
        passedCount += 1
        #expect(!text(head.target).contains("hidden"), "\(vector.id)")
        checkForwarded(head, message.framing, vector.id)
      }
    }
    // Names that merely resemble the real one are lawful; if none passed, the test would show nothing.
    #expect(passedCount > 0 && passedCount < file.heads.count / 10)
  }

  private func checkForwarded(_ head: RequestHead, _ framing: BodyFraming, _ id: String) {
    let queue = ByteQueue()
    HTTP1Encoder.writeRequest(head, framing: framing, via: "1.1 test", into: queue)
    let wire = text(queue)
    #expect(wire.hasSuffix("\r\n\r\n"), "\(id)")
    let lines = wire.dropLast(4).components(separatedBy: "\r\n").dropFirst()
    var names: [String] = []
    for line in lines {
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      #expect(parts.count == 2 && HTTPMethod(String(parts[0])) != nil, "\(id): \(line)")
      #expect(!line.unicodeScalars.contains { "\r\n\0".unicodeScalars.contains($0) }, "\(id): \(line)")
      names.append(parts[0].lowercased())
    }
    #expect(!(names.contains("transfer-encoding") && names.contains("content-length")), "\(id)")
  }
}
