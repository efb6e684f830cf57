import Testing

@testable import BodyHook

@Suite struct EnvelopeStoreTests {
  private let store = EnvelopeStore()
  private let owner = EnvelopeOwner(client: "192.0.2.1", lane: "default")
  private static let name = "00112233445566778899aabbccddeeff"
  private static let second: UInt64 = 1_000_000_000

  private func put(
    _ body: [UInt8], _ index: Int, of count: Int, name: String = name, owner: EnvelopeOwner? = nil, now: UInt64 = 0,
    limit: Int = 1000
  ) throws(EnvelopeFault) -> Bool {
    let size = max(1, (body.count + count - 1) / count)
    return try store.put(
      UploadPart(partFields(body, name, index, of: count, size: size)), of: owner ?? self.owner, now: now,
      bounds: EnvelopeBounds(limit: limit), digest: sum)
  }

  private func take(_ name: String = name, owner: EnvelopeOwner? = nil, now: UInt64 = 0) throws -> EnvelopeStore.Finding
  {
    store.take(try #require(EnvelopeID(Array(name.utf8))), of: owner ?? self.owner, now: now)
  }

  private func bytes(_ finding: EnvelopeStore.Finding) -> [UInt8]? {
    if case .envelope(let envelope) = finding { envelope.bytes } else { nil }
  }

  @Test(arguments: [[0, 1, 2], [2, 0, 1], [1, 1, 2, 0], [2, 1, 1, 0]])
  func `parts come in any order, and twice`(_ order: [Int]) throws {
    let body = Array("a body in three".utf8)
    for index in order.dropLast() { _ = try put(body, index, of: 3) }
    #expect(bytes(try take()) == nil)
    _ = try put(body, try #require(order.last), of: 3)
    #expect(bytes(try take()) == body)
  }

  @Test func `a body that is not whole is none`() throws {
    #expect(try !put([1, 2, 3], 0, of: 3))
    #expect(try take() == .incomplete)
  }

  @Test func `an empty body is one`() throws {
    #expect(try put([], 0, of: 1))
    #expect(bytes(try take()) == [])
  }

  @Test func `a body belongs to its client and its lane`() throws {
    _ = try put([1], 0, of: 1)
    #expect(try take(owner: EnvelopeOwner(client: "192.0.2.2", lane: "default")) == .unknown)
    #expect(try take(owner: EnvelopeOwner(client: "192.0.2.1", lane: "other")) == .unknown)
    #expect(bytes(try take()) == [1])
    #expect(throws: EnvelopeFault.malformed("the identifier is in use")) {
      try put([2], 0, of: 1, owner: EnvelopeOwner(client: "192.0.2.2", lane: "default"))
    }
  }

  @Test func `a body serves twenty requests`() throws {
    _ = try put([1], 0, of: 1)
    for _ in 0..<20 { #expect(bytes(try take()) == [1]) }
    #expect(try take() == .unknown)
  }

  @Test func `a body waits a minute`() throws {
    _ = try put([1], 0, of: 1)
    #expect(bytes(try take(now: 59 * Self.second)) == [1])
    #expect(try take(now: 60 * Self.second) == .unknown)
    #expect(!store.sweep(now: 70 * Self.second) && store.byteCount == 0)
  }

  @Test func `a part that does not fit the others ends the body`() throws {
    _ = try put([1, 2, 3], 1, of: 3)
    #expect(throws: EnvelopeFault.damaged) { try put([1, 9, 3], 1, of: 3) }
    #expect(try take() == .unknown)
    _ = try put([1, 2, 3], 1, of: 3)
    #expect(throws: EnvelopeFault.malformed("the parts disagree about their number")) { try put([1, 2], 0, of: 2) }
    #expect(try take() == .unknown)
  }

  @Test func `a body whose digest is another's is refused and forgotten`() throws {
    var fields = partFields([1, 2], Self.name, 0, of: 1, size: 2)
    fields.meta = metaText([2, 1])[...]
    let part = try UploadPart(fields)
    #expect(throws: EnvelopeFault.damaged) {
      try store.put(part, of: owner, now: 0, bounds: EnvelopeBounds(limit: 1000), digest: sum)
    }
    #expect(try take() == .unknown)
    #expect(store.byteCount == 0)
  }

  @Test(arguments: [(1000, true), (1001, false)])
  func `a body of the limit is taken, one byte more is not`(_ count: Int, _ isTaken: Bool) throws {
    let body = [UInt8](repeating: 7, count: count)
    if isTaken {
      #expect(try put(body, 0, of: 1))
    } else {
      #expect(throws: EnvelopeFault.tooLarge) { try put(body, 0, of: 1) }
      #expect(store.byteCount == 0)
    }
  }

  @Test func `parts beyond the limit are not kept either`() throws {
    let body = [UInt8](repeating: 7, count: 1500)
    _ = try put(body, 1, of: 3)
    _ = try put(body, 2, of: 3)
    #expect(throws: EnvelopeFault.tooLarge) { try put(body, 0, of: 3) }
  }

  @Test func `one client cannot take all the room`() throws {
    var bounds = EnvelopeBounds(limit: 1000)
    bounds.clientByteCount = 3000
    let body = [UInt8](repeating: 7, count: 900)
    var refused = 0
    for digit in 0..<4 {
      let name = String(Self.name.dropLast()) + "\(digit)"
      let part = try UploadPart(partFields(body, name, 0, of: 1, size: 900))
      do { try store.put(part, of: owner, now: 0, bounds: bounds, digest: sum) } catch {
        #expect(error == .full)
        refused += 1
      }
    }
    #expect(refused == 2)
    let part = try UploadPart(partFields(body, String(repeating: "f", count: 32), 0, of: 1, size: 900))
    let other = EnvelopeOwner(client: "192.0.2.9", lane: "default")
    #expect(try store.put(part, of: other, now: 0, bounds: bounds, digest: sum))
  }
}
