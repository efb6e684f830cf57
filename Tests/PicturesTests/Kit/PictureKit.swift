import Foundation
import HTTP
import Synchronization

@testable import Pictures

/// What the tests of pictures share. Times are seconds after `epoch` unless they say otherwise.
enum PictureKit {
  /// Sun, 06 Nov 1994 08:49:37 GMT.
  static let epoch = 784_111_777
  static let epochText = "Sun, 06 Nov 1994 08:49:37 GMT"
  static let gif = Array("GIF89a picture".utf8)

  static func fields(_ list: [(String, String)]) -> HeaderList {
    var fields = HeaderList()
    for (name, value) in list { fields.append(name: name, value: value) }
    return fields
  }

  static func head(_ status: Int = 200, _ list: [(String, String)]) -> ResponseHead {
    ResponseHead(status: status, fields: fields(list))
  }

  static func milliseconds(_ seconds: Int) -> Int64 { Int64(epoch + seconds) * 1_000 }

  static func question(
    _ list: [(String, String)] = [], url: String = "https://a.test/a.png", method: HTTPMethod = .get,
    scope: String = "s", decision: String = "d"
  ) -> PictureQuestion {
    PictureQuestion(
      place: PicturePlace(url: url, scope: scope, decision: decision), method: method, fields: fields(list))
  }

  /// As it would be stored at `epoch`; nil: it must not be.
  static func picture(
    _ list: [(String, String)], status: Int = 200, body: [UInt8] = gif, for question: PictureQuestion = question(),
    at seconds: Int = 0, _ freshness: Freshness = .rfc9111
  ) -> StoredPicture? {
    StoredPicture(
      question, head: head(status, list), body: body, requested: milliseconds(seconds), received: milliseconds(seconds),
      freshness)
  }

  /// A folder that is there while `body` runs.
  static func withFolder<T>(_ body: (String) async throws -> T) async throws -> T {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("pictures-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    return try await body(folder)
  }

  /// A cache whose jobs are done at once.
  static func cache(
    _ folder: String, memory: Int = 1 << 20, disk: Int = 1 << 20, _ freshness: Freshness = .rfc9111,
    reports: @escaping @Sendable (String) -> Void = { _ in }
  ) -> PictureCache {
    PictureCache(
      folder: folder,
      limits: PictureLimits(memoryByteCount: memory, diskByteCount: disk, freshness: freshness),
      work: { job in
        job()
        return true
      }, report: reports)
  }
}

extension PictureCache {
  /// Wherever it is.
  func search(_ question: PictureQuestion) -> StoredPicture? {
    switch find(question) {
    case .picture(let picture): return picture
    case .nothing: return nil
    case .perhapsOnDisk:
      let found = Mutex<StoredPicture?>(nil)
      findOnDisk(question) { picture in found.withLock { $0 = picture } }
      return found.withLock { $0 }
    }
  }

  /// Fetches and keeps, as an exchange would.
  /// - Returns: whether it was kept.
  @discardableResult
  func fill(
    _ question: PictureQuestion, _ list: [(String, String)], status: Int = 200, body: [UInt8] = PictureKit.gif,
    at seconds: Int = 0
  ) -> Bool {
    _ = find(question)
    let before = readings.counts[PictureEvent.stored.rawValue]
    let now = PictureKit.milliseconds(seconds)
    guard case .leader(let fetch) = join(question, now: now) else { return false }
    let head = PictureKit.head(status, list)
    if headReceived(head, byteCount: body.count, of: fetch, now: now) == .body {
      _ = body.withUnsafeBytes { bodyReceived($0, byteCount: body.count, of: fetch) }
    }
    completed(fetch)
    return readings.counts[PictureEvent.stored.rawValue] > before
  }
}
