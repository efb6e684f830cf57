import HTTP
import Synchronization
import Testing

@testable import Pictures

/// One fetch, its leader and its followers.
@Suite struct PictureFetchTests {
  private static let fresh = [("Cache-Control", "max-age=600")]

  private final class Calls: Sendable {
    let count = Mutex(0)
    var call: @Sendable () -> Void { { self.count.withLock { $0 += 1 } } }
    var value: Int { count.withLock { $0 } }
  }

  private func cache() -> PictureCache { PictureKit.cache("/nowhere", disk: 0) }

  private func lead(_ cache: PictureCache, _ question: PictureQuestion = PictureKit.question()) throws -> PictureFetch {
    _ = cache.find(question)
    guard case .leader(let fetch) = cache.join(question, now: PictureKit.milliseconds(0)) else {
      throw CancellationError()
    }
    return fetch
  }

  private func view(_ fetch: PictureFetch, _ list: [(String, String)] = [], isStreaming: Bool = false) -> String {
    switch fetch.view(for: PictureKit.question(list), isStreaming: isStreaming) {
    case .undecided: "undecided"
    case .unshared: "unshared"
    case .passing(_, let count): "passing \(count)"
    case .stored(let picture): "stored \(picture.body.count)"
    case .broken: "broken"
    }
  }

  @Test func `equal requests join, others do not`() throws {
    let cache = cache()
    _ = try lead(cache)
    let joins: [(PictureQuestion, String)] = [
      (PictureKit.question(), "follower"), (PictureKit.question([("If-None-Match", "\"1\"")]), "follower"),
      (PictureKit.question(method: .head), "follower"), (PictureKit.question(url: "https://a.test/b.png"), "leader"),
      (PictureKit.question(scope: "t"), "leader"), (PictureKit.question(decision: "e"), "leader"),
      (PictureKit.question([("Authorization", "x")]), "leader"),
      (PictureKit.question([("Cache-Control", "no-cache")]), "leader"),
      (PictureKit.question([("Cache-Control", "no-store")]), "alone"),
    ]
    for (question, expected) in joins {
      let role =
        switch cache.join(question, now: 0) {
        case .leader: "leader"
        case .follower: "follower"
        case .alone: "alone"
        }
      #expect(role == expected, "\(question)")
    }
  }

  @Test func `a picture passes to followers as it comes`() throws {
    let cache = cache()
    let fetch = try lead(cache)
    let calls = Calls()
    let follower = fetch.join(calls.call)
    #expect(view(fetch) == "undecided")
    #expect(cache.headReceived(PictureKit.head(200, Self.fresh), byteCount: 100, of: fetch, now: 0) == .body)
    #expect(view(fetch) == "undecided", "nothing of the body is there")
    let body = PictureKit.gif + [UInt8](repeating: 1, count: 86)
    _ = body[..<70].withUnsafeBytes { cache.bodyReceived($0, byteCount: 100, of: fetch) }
    #expect(view(fetch) == "passing 100" && calls.value == 1)
    #expect(fetch.bytes(from: 60, limit: 50) == Array(body[60..<70]) && fetch.bytes(from: 70, limit: 9).isEmpty)
    _ = body[70...].withUnsafeBytes { cache.bodyReceived($0, byteCount: 100, of: fetch) }
    cache.completed(fetch)
    #expect(view(fetch) == "stored 100" && fetch.bytes(from: 90, limit: 50) == Array(body[90...]))
    fetch.leave(follower)
    #expect(!fetch.hasFollowers && cache.search(PictureKit.question())?.body == body)
  }

  @Test func `what breaks off is cut for those who had begun, and asked for anew by the others`() throws {
    let cache = cache()
    let fetch = try lead(cache)
    _ = cache.headReceived(PictureKit.head(200, Self.fresh), byteCount: 100, of: fetch, now: 0)
    _ = (PictureKit.gif + [UInt8](repeating: 1, count: 60)).withUnsafeBytes {
      cache.bodyReceived($0, byteCount: 100, of: fetch)
    }
    cache.broke(fetch)
    #expect(view(fetch, isStreaming: true) == "broken" && view(fetch) == "unshared")
    #expect(cache.search(PictureKit.question()) == nil)
  }

  @Test func `half a picture is never whole`() throws {
    let cache = cache()
    let fetch = try lead(cache)
    _ = cache.headReceived(PictureKit.head(200, Self.fresh), byteCount: 100, of: fetch, now: 0)
    _ = PictureKit.gif.withUnsafeBytes { cache.bodyReceived($0, byteCount: 100, of: fetch) }
    cache.completed(fetch)
    #expect(view(fetch) == "unshared" && cache.search(PictureKit.question()) == nil)
  }

  @Test(arguments: [
    [("Cache-Control", "no-store")], [("Cache-Control", "private")], [("Vary", "*")], [("Cache-Control", "max-age=0")],
    [("Cache-Control", "no-cache")],
  ])
  func `what others must not have is not passed on`(list: [(String, String)]) throws {
    let cache = cache()
    let fetch = try lead(cache)
    _ = cache.headReceived(PictureKit.head(200, list), byteCount: 14, of: fetch, now: PictureKit.milliseconds(0))
    _ = PictureKit.gif.withUnsafeBytes { cache.bodyReceived($0, byteCount: 14, of: fetch) }
    cache.completed(fetch)
    #expect(view(fetch) == "unshared")
  }

  @Test func `what varies goes to those who would have got the same`() throws {
    let cache = cache()
    let fetch = try lead(cache, PictureKit.question([("Accept", "a")]))
    _ = cache.headReceived(PictureKit.head(200, Self.fresh + [("Vary", "Accept")]), byteCount: 14, of: fetch, now: 0)
    _ = PictureKit.gif.withUnsafeBytes { cache.bodyReceived($0, byteCount: 14, of: fetch) }
    cache.completed(fetch)
    #expect(view(fetch, [("Accept", "a")]) == "stored 14" && view(fetch, [("Accept", "b")]) == "unshared")
  }

  @Test func `a body of unknown length is read at its end, and only up to the limit`() throws {
    let cache = PictureKit.cache("/nowhere", memory: 400, disk: 0)
    let fetch = try lead(cache)
    _ = cache.headReceived(PictureKit.head(200, Self.fresh), byteCount: nil, of: fetch, now: 0)
    let piece = PictureKit.gif + [UInt8](repeating: 1, count: 70)
    #expect(piece.withUnsafeBytes { cache.bodyReceived($0, byteCount: nil, of: fetch) } == .body)
    #expect(view(fetch) == "undecided")
    #expect(piece.withUnsafeBytes { cache.bodyReceived($0, byteCount: nil, of: fetch) } == .none)
    #expect(view(fetch) == "unshared")
    let second = try lead(cache)
    #expect(cache.headReceived(PictureKit.head(200, Self.fresh), byteCount: 101, of: second, now: 0) == .none)
  }

  @Test func `it goes on without its client as long as somebody waits`() throws {
    let cache = cache()
    let fetch = try lead(cache)
    #expect(!fetch.goOn {})
    let (one, other) = (fetch.join {}, fetch.join {})
    let calls = Calls()
    #expect(fetch.goOn(unless: calls.call))
    fetch.leave(one)
    #expect(calls.value == 0)
    fetch.leave(other)
    #expect(calls.value == 1)
  }
}
