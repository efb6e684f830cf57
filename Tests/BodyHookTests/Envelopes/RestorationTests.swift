import HTTP
import Testing

@testable import BodyHook

@Suite struct RestorationTests {
  private func restoration(
    _ method: HTTPMethod, _ framing: BodyFraming, isComplete: Bool = false, received: Int = 0, more: String = ""
  ) throws -> Restoration {
    let meta = try EnvelopeMeta(metaText([1], more: more))
    return Restoration(meta, method: method, framing: framing, isComplete: isComplete, receivedByteCount: received)
  }

  @Test func `what arrived decides`() throws {
    #expect(try restoration(.post, .none) == .substitute)
    #expect(try restoration(.post, .length(0)) == .substitute)
    #expect(try restoration(.post, .length(1)) == .compare)
    #expect(try restoration(.post, .chunked) == .wait)
    #expect(try restoration(.post, .chunked, isComplete: true) == .substitute)
    #expect(try restoration(.post, .chunked, received: 1) == .compare)
  }

  @Test func `another method, or a body over the limit, gets nothing`() throws {
    #expect(try restoration(.get, .none) == .none)
    #expect(try restoration(.put, .length(0)) == .none)
    #expect(try restoration(.post, .length(0), more: ",\"o\":true") == .none)
    let meta = try EnvelopeMeta(metaText([1], method: "GET"))
    #expect(Restoration(meta, method: .get, framing: .none, isComplete: true, receivedByteCount: 0) == .none)
  }
}
