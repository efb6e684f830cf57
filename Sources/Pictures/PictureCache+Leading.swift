import HTTP
import Synchronization

/// What the leader of a fetch tells the cache.
extension PictureCache {
  public func headReceived(
    _ head: ResponseHead, byteCount: Int?, of fetch: PictureFetch, now: Int64
  ) -> PictureFetch.Interest {
    let interest = fetch.headReceived(head, byteCount: byteCount, now: now)
    if interest == .none { retire(fetch) }
    return interest
  }

  public func bodyReceived(
    _ bytes: UnsafeRawBufferPointer, byteCount: Int?, of fetch: PictureFetch
  ) -> PictureFetch.Interest {
    fetch.held.wrappingAdd(bytes.count, ordering: .relaxed)
    guard held.wrappingAdd(bytes.count, ordering: .relaxed).newValue <= Self.heldLimit else {
      broke(fetch)
      return .none
    }
    let interest = fetch.bodyReceived(bytes, byteCount: byteCount)
    if interest == .none { retire(fetch) }
    return interest
  }

  /// The answer is there whole: it is kept, if it may be.
  public func completed(_ fetch: PictureFetch) {
    let picture = fetch.completed()
    if let picture { keep(picture, for: fetch.question) }
    retire(fetch)
  }

  /// A stored picture is the answer.
  public func answered(_ fetch: PictureFetch, with picture: StoredPicture) {
    fetch.answered(with: picture)
    retire(fetch)
  }

  public func broke(_ fetch: PictureFetch) {
    fetch.broke()
    retire(fetch)
  }
}
