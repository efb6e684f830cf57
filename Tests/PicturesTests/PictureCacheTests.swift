import Foundation
import HTTP
import Synchronization
import Testing

@testable import Pictures

/// What is kept in memory and on disk, for whom, and for how long.
@Suite struct PictureCacheTests {
  private static let fresh = [("Cache-Control", "max-age=600"), ("ETag", "\"1\"")]

  @Test func `what is kept is found, byte by byte`() async throws {
    try await PictureKit.withFolder { folder in
      let cache = PictureKit.cache(folder)
      #expect(cache.search(PictureKit.question()) == nil)
      #expect(cache.fill(PictureKit.question(), Self.fresh))
      let found = try #require(cache.search(PictureKit.question()))
      #expect(found.body == PictureKit.gif && found.fields.first(.etag) == "\"1\"")
      for other in [
        PictureKit.question(url: "https://a.test/a.png?v=1"), PictureKit.question(scope: "t"),
        PictureKit.question(url: "https://a.test:444/a.png"),
      ] { #expect(cache.search(other) == nil) }
    }
  }

  @Test func `a restart finds what the disk holds, with its fields, and nobody else may read it`() async throws {
    try await PictureKit.withFolder { folder in
      let first = PictureKit.cache(folder)
      let question = PictureKit.question([("Accept", "image/webp")])
      first.fill(question, Self.fresh + [("Vary", "Accept, X-None"), ("X-Empty", ""), ("Content-Type", "image/gif")])
      await withCheckedContinuation { done in first.close { done.resume() } }
      let second = PictureKit.cache(folder)
      let found = try #require(second.search(question))
      #expect(found.body == PictureKit.gif && found.status == 200 && found.fields.first(named: "x-empty") == "")
      #expect(found.age(at: PictureKit.milliseconds(9)) == 9 && found.fields.first(.contentType) == "image/gif")
      #expect(second.search(PictureKit.question([("Accept", "image/png")])) == nil)
      let manager = FileManager.default
      #expect(try manager.attributesOfItem(atPath: folder)[.posixPermissions] as? Int == 0o700)
      for name in try manager.contentsOfDirectory(atPath: folder) {
        #expect(
          try manager.attributesOfItem(atPath: "\(folder)/\(name)")[.posixPermissions] as? Int == 0o600, "\(name)")
      }
    }
  }

  @Test func `another decision finds nothing, and wipes`() async throws {
    try await PictureKit.withFolder { folder in
      let cache = PictureKit.cache(folder)
      cache.fill(PictureKit.question(), Self.fresh)
      cache.fill(PictureKit.question(scope: "other"), Self.fresh)
      #expect(cache.search(PictureKit.question(decision: "stricter")) == nil)
      #expect(cache.readings.memoryByteCount < 2 * (PictureKit.gif.count + 600))
      // Back to what it was: gone is gone, on disk too.
      #expect(cache.search(PictureKit.question()) == nil)
      #expect(cache.search(PictureKit.question(scope: "other")) != nil)
      await withCheckedContinuation { done in cache.close { done.resume() } }
      #expect(PictureKit.cache(folder).search(PictureKit.question()) == nil)
    }
  }

  @Test func `a decision that changed during a fetch gets nothing of it`() async throws {
    try await PictureKit.withFolder { folder in
      let cache = PictureKit.cache(folder)
      _ = cache.find(PictureKit.question())
      guard case .leader(let fetch) = cache.join(PictureKit.question(), now: 0) else {
        Issue.record("nobody leads")
        return
      }
      _ = cache.find(PictureKit.question(decision: "new"))
      _ = cache.headReceived(PictureKit.head(200, Self.fresh), byteCount: 14, of: fetch, now: 0)
      _ = PictureKit.gif.withUnsafeBytes { cache.bodyReceived($0, byteCount: 14, of: fetch) }
      cache.completed(fetch)
      #expect(cache.search(PictureKit.question()) == nil)
    }
  }

  @Test func `the newest of several that fit answers, and replaces`() async throws {
    try await PictureKit.withFolder { folder in
      for memory in [0, 1 << 20] {
        let cache = PictureKit.cache(folder, memory: memory)
        let webp = PictureKit.question([("Accept", "image/webp")])
        let png = PictureKit.question([("Accept", "image/png")])
        cache.fill(webp, Self.fresh + [("Vary", "Accept")], body: Array("GIF89a webp".utf8))
        cache.fill(png, Self.fresh + [("Vary", "Accept")], body: Array("GIF89a png".utf8))
        #expect(cache.search(webp)?.body.count == 11 && cache.search(png)?.body.count == 10, "memory \(memory)")
        cache.fill(png, Self.fresh + [("Vary", "Accept")], body: Array("GIF89a newer".utf8), at: 5)
        #expect(cache.search(webp)?.body.count == 11 && cache.search(png)?.body.count == 12, "memory \(memory)")
      }
    }
  }

  @Test func `memory keeps what was used last, within its bound`() async throws {
    try await PictureKit.withFolder { folder in
      let cache = PictureKit.cache(folder, memory: 40_000, disk: 0)
      let body = PictureKit.gif + [UInt8](repeating: 0, count: 5_000)
      for index in 0..<7 {
        cache.fill(PictureKit.question(url: "https://a.test/\(index).png"), Self.fresh, body: body, at: index)
      }
      let first = PictureKit.question(url: "https://a.test/0.png")
      cache.used(try #require(cache.search(first)), at: PictureKit.milliseconds(50))
      cache.fill(PictureKit.question(url: "https://a.test/7.png"), Self.fresh, body: body, at: 60)
      #expect(cache.readings.memoryByteCount <= 40_000 && cache.readings.memoryEvictionCount > 0)
      #expect(cache.search(first) != nil && cache.search(PictureKit.question(url: "https://a.test/1.png")) == nil)
      #expect(!FileManager.default.fileExists(atPath: folder), "no disk was asked for")
      cache.use(PictureLimits(memoryByteCount: 0, diskByteCount: 0, freshness: .rfc9111))
      #expect(cache.readings.memoryByteCount == 0)
    }
  }

  @Test func `a full disk is swept to half, the oldest use first`() async throws {
    try await PictureKit.withFolder { folder in
      let cache = PictureKit.cache(folder, memory: 0, disk: 200_000)
      let body = PictureKit.gif + [UInt8](repeating: 0, count: 20_000)
      for index in 0..<9 {
        cache.fill(PictureKit.question(url: "https://a.test/\(index).png"), Self.fresh, body: body, at: index * 10)
      }
      let first = PictureKit.question(url: "https://a.test/0.png")
      cache.used(try #require(cache.search(first)), at: PictureKit.milliseconds(500))
      cache.fill(PictureKit.question(url: "https://a.test/9.png"), Self.fresh, body: body, at: 600)
      #expect(cache.readings.diskByteCount <= 100_000 && cache.readings.diskEvictionCount == 6)
      #expect(cache.search(first) != nil && cache.search(PictureKit.question(url: "https://a.test/5.png")) == nil)
      #expect(cache.search(PictureKit.question(url: "https://a.test/9.png")) != nil)
    }
  }

  @Test func `a damaged file is thrown away`() async throws {
    try await PictureKit.withFolder { folder in
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try Data(repeating: 7, count: 9_000).write(to: URL(filePath: "\(folder)/pictures.sqlite3"))
      let cache = PictureKit.cache(folder, memory: 0)
      #expect(cache.search(PictureKit.question()) == nil)
      #expect(cache.fill(PictureKit.question(), Self.fresh) && cache.search(PictureKit.question()) != nil)
    }
  }

  @Test func `without a disk it goes on in memory, and says so once`() async throws {
    let reports = Mutex<[String]>([])
    let cache = PictureKit.cache("/proc/nowhere/pictures") { text in reports.withLock { $0.append(text) } }
    for index in 0..<3 {
      let question = PictureKit.question(url: "https://a.test/\(index).png")
      #expect(cache.fill(question, Self.fresh) && cache.search(question) != nil)
    }
    #expect(reports.withLock { $0.count } == 1)
  }

  @Test func `a change of the URL takes everything away`() async throws {
    try await PictureKit.withFolder { folder in
      let cache = PictureKit.cache(folder)
      cache.fill(PictureKit.question(), Self.fresh)
      cache.fill(PictureKit.question(scope: "other"), Self.fresh)
      cache.invalidate("https://a.test/a.png")
      #expect(cache.search(PictureKit.question()) == nil && cache.search(PictureKit.question(scope: "other")) == nil)
    }
  }

  @Test func `what is confirmed stays so over a restart`() async throws {
    try await PictureKit.withFolder { folder in
      let cache = PictureKit.cache(folder)
      cache.fill(PictureKit.question(), [("Cache-Control", "max-age=1"), ("ETag", "\"1\"")])
      let now = PictureKit.milliseconds(100)
      let renewed = cache.refresh(
        try #require(cache.search(PictureKit.question())), for: PictureKit.question(),
        by: PictureKit.head(304, [("Cache-Control", "max-age=50")]), requested: now, received: now)
      #expect(renewed.lifetime == 50)
      await withCheckedContinuation { done in cache.close { done.resume() } }
      let found = try #require(PictureKit.cache(folder).search(PictureKit.question()))
      #expect(found.body == PictureKit.gif && found.age(at: PictureKit.milliseconds(110)) == 10 && found.lifetime == 50)
    }
  }

  @Test func `what is of no use later is not kept`() async throws {
    try await PictureKit.withFolder { folder in
      #expect(!PictureKit.cache(folder).fill(PictureKit.question(), [("Cache-Control", "max-age=0")]))
      #expect(!PictureKit.cache(folder).fill(PictureKit.question(), Self.fresh, body: Array("<p>sorry".utf8)))
      #expect(PictureKit.cache(folder).fill(PictureKit.question(), Self.fresh, status: 404, body: Array("no".utf8)))
    }
  }
}
