import EventLoop
import HTTP
import Names
import Pictures
import Policy

/// What the cache of pictures makes of the origin's answer.
extension Exchange {
  /// - Returns: true: the client gets something else in place of this answer.
  func pictureAnswered(_ head: ResponseHead, _ framing: BodyFraming) -> Bool {
    guard let turn = picture else { return false }
    switch turn.part {
    case .asking, .alone: return false
    case .changing:
      if (200..<400).contains(head.status) { invalidate(turn, head) }
      return false
    case .leading(let fetch):
      if let stored = turn.stored, replaces(head, stored, turn, fetch) { return true }
      let byteCount: Int? =
        switch framing {
        case .length(let count): Int(clamping: count)
        case .none: 0
        case .chunked, .untilClose: nil
        }
      picture?.byteCount = byteCount
      picture?.interest = turn.cache.headReceived(head, byteCount: byteCount, of: fetch, now: worker.loop.wallClock)
      return false
    }
  }

  /// A stored picture answers in place of a 304 about it, or of an error that it may stand in for.
  private func replaces(
    _ head: ResponseHead, _ stored: StoredPicture, _ turn: PictureTurn, _ fetch: PictureFetch
  ) -> Bool {
    let now = worker.loop.wallClock
    if head.status == 304, turn.isValidating, turn.question.isAbout(stored, head) {
      picture?.confirmed = turn.cache.refresh(
        stored, for: turn.question, by: head, requested: turn.requested, received: now)
      return true
    }
    guard [500, 502, 503, 504].contains(head.status), stored.mayServeOnError(for: turn.question.terms, now: now) else {
      return false
    }
    leaveOrigin()
    serveStale(stored, fetch)
    return true
  }

  /// RFC 9111, section 4.4: what is stored of the target and, on the same origin, of what the answer points to is gone.
  private func invalidate(_ turn: PictureTurn, _ head: ResponseHead) {
    let base = turn.question.place.url
    turn.cache.invalidate(base)
    for token in [FieldName.location, .contentLocation] {
      guard let text = head.fields.first(token), let url = URLReference.resolve(text, against: base),
        URLReference.origin(of: url) == URLReference.origin(of: base), url != base
      else { continue }
      turn.cache.invalidate(url)
    }
  }

  /// - Returns: true: the client does not get these bytes.
  func pictureSent(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let turn = picture else { return false }
    if turn.confirmed != nil { return true }
    guard turn.interest == .body, case .leading(let fetch) = turn.part else { return false }
    picture?.interest = turn.cache.bodyReceived(bytes, byteCount: turn.byteCount, of: fetch)
    return false
  }

  /// - Returns: true: a stored picture is the answer.
  func pictureEnded() -> Bool {
    guard let turn = picture, case .leading(let fetch) = turn.part else { return false }
    if let confirmed = turn.confirmed {
      picture?.part = .alone
      phase = .new
      turn.cache.answered(fetch, with: confirmed)
      serve(confirmed)
      return true
    }
    picture?.part = .alone
    if isWithoutClient, turn.stored == nil, turn.interest == .body { turn.cache.count(.prefetched) }
    if turn.interest == .body { turn.cache.completed(fetch) } else { turn.cache.broke(fetch) }
    return false
  }

  /// The origin failed before it answered.
  /// - Returns: true: a stored picture is the answer.
  func pictureFailed(_ failure: OriginFailure) -> Bool {
    guard let turn = picture, case .leading(let fetch) = turn.part, let stored = turn.stored,
      !failure.isTrustFailure, failure.refusal.decidedBy == nil,
      stored.mayServeOnError(for: turn.question.terms, now: worker.loop.wallClock)
    else { return false }
    serveStale(stored, fetch)
    return true
  }

  /// What the client is told when the origin failed: 504 where a stored picture must not be used without its word (RFC 9111, section
  /// 5.2.2.2).
  func pictureRefusal(_ refusal: Refusal) -> Refusal {
    guard let stored = picture?.stored, stored.demandsValidation, refusal.decidedBy == nil, refusal.status == 502 else {
      return refusal
    }
    var refusal = refusal
    refusal.status = 504
    return refusal
  }

  private func serveStale(_ stored: StoredPicture, _ fetch: PictureFetch) {
    guard let turn = picture else { return }
    picture?.part = .alone
    turn.cache.count(.stale)
    turn.cache.answered(fetch, with: stored)
    serve(stored)
  }
}
