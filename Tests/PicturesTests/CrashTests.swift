import Foundation
import Testing

@testable import Pictures

/// What a process leaves that ends in the middle of anything.
@Suite struct CrashTests {
  /// The files as they are at a moment are what a process leaves that is killed then.
  @Test func `at every moment the files hold whole pictures only`() async throws {
    try await PictureKit.withFolder { folder in
      let cache = PictureKit.cache(folder, memory: 0, disk: 1 << 20)
      let questions = (0..<12).map { PictureKit.question(url: "https://a.test/\($0).png") }
      for (index, question) in questions.enumerated() {
        let body = PictureKit.gif + [UInt8](repeating: UInt8(index), count: 30_000)
        cache.fill(question, [("Cache-Control", "max-age=600")], body: body, at: index)
        try await PictureKit.withFolder { copy in
          try FileManager.default.copyItem(atPath: folder, toPath: copy)
          // The journal may be torn at any byte.
          let journal = "\(copy)/pictures.sqlite3-wal"
          let size = try #require(FileManager.default.attributesOfItem(atPath: journal)[.size] as? Int)
          try FileHandle(forWritingTo: URL(filePath: journal)).truncate(atOffset: UInt64(size - 5_000 * (index % 3)))
          let left = PictureKit.cache(copy, memory: 0)
          for question in questions {
            guard let found = left.search(question) else { continue }
            #expect(found.body.count == PictureKit.gif.count + 30_000 && Set(found.body.suffix(30_000)).count == 1)
          }
          if index % 3 == 0 { #expect(left.search(question)?.body == body) }
        }
      }
    }
  }

  @Test func `what is wiped is in no file any more`() async throws {
    try await PictureKit.withFolder { folder in
      let cache = PictureKit.cache(folder)
      let mark = "GIF89a a mark that is found nowhere else"
      cache.fill(PictureKit.question(), [("Cache-Control", "max-age=600")], body: Array(mark.utf8))
      func holdsMark() throws -> Bool {
        try FileManager.default.contentsOfDirectory(atPath: folder).contains { name in
          try Data(contentsOf: URL(filePath: "\(folder)/\(name)")).range(of: Data(mark.utf8)) != nil
        }
      }
      let wasThere = try holdsMark()
      #expect(wasThere)
      cache.wipe(scope: "s", decision: "d")
      let isThere = try holdsMark()
      #expect(!isThere && cache.search(PictureKit.question()) == nil)
    }
  }
}
