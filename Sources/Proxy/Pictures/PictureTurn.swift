import HTTP
import Pictures

/// The part that the cache of pictures has in one exchange. A value of its exchange.
struct PictureTurn {
  enum Part {
    /// What is stored is being looked for, or serves.
    case asking
    /// What the origin answers is told to others who wait, and kept.
    case leading(PictureFetch)
    /// Asks the origin for itself alone.
    case alone
    /// Changes what is stored, if the origin lets it.
    case changing
  }

  let cache: PictureCache
  let question: PictureQuestion
  var part = Part.asking
  /// What is there and must be confirmed, or may stand in for a failing origin.
  var stored: StoredPicture?
  /// Whether the origin is asked to confirm `stored`.
  var isValidating = false
  /// Confirmed; it is served when the origin's answer has ended.
  var confirmed: StoredPicture?
  var interest = PictureFetch.Interest.none
  /// Of the body that comes; nil: not known.
  var byteCount: Int?
  /// When the request went to the origin, in milliseconds since 1970.
  var requested: Int64 = 0

  /// Whether others wait for what the origin sends, so that it must not stop for a slow client.
  var hasFollowers: Bool {
    guard case .leading(let fetch) = part, interest == .body else { return false }
    return fetch.hasFollowers
  }
}

/// A stored picture on its way to a client that takes it at its own pace.
final class PictureServing {
  let answer: StoredAnswer
  /// The next byte.
  var offset: Int

  init(_ answer: StoredAnswer) {
    self.answer = answer
    offset = answer.range.lowerBound
  }
}

/// A place among those that wait for what another exchange fetches.
final class PictureFollowing {
  let fetch: PictureFetch
  var follower = 0
  /// Bytes of the body that were written; nil: not even the head.
  var offset: Int?

  init(_ fetch: PictureFetch) {
    self.fetch = fetch
  }
}
