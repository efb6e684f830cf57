import HTTP
import Synchronization

/// What the leader of a fetch tells.
extension PictureFetch {
  /// What the leader does about the rest of the answer.
  public enum Interest: Sendable, Equatable {
    /// Every byte is to be told.
    case body
    /// The answer is not kept.
    case none
  }

  /// The head of the answer.
  /// - Parameter byteCount: of the body; nil: unknown.
  func headReceived(_ head: ResponseHead, byteCount: Int?, now: Int64) -> Interest {
    let picture =
      byteCount.map({ $0 <= byteLimit }) ?? true
      ? StoredPicture(question, head: head, body: [], requested: requested, received: now, freshness) : nil
    guard let picture else {
      broke()
      return .none
    }
    state.withLock { state in
      state.phase = .begun(picture)
      state.byteCount = byteCount
      if let byteCount { state.body.reserveCapacity(byteCount) }
    }
    if head.status != 200 { decide(byteCount, isEnd: false) }
    return .body
  }

  var isUnshared: Bool {
    state.withLock { state in if case .unshared = state.phase { true } else { false } }
  }

  /// A piece of the body.
  func bodyReceived(_ bytes: UnsafeRawBufferPointer, byteCount: Int?) -> Interest {
    let isDecided = state.withLock { state -> Bool? in
      guard state.body.count + bytes.count <= byteLimit else { return nil }
      state.body.append(contentsOf: bytes)
      if case .begun = state.phase { return false }
      return true
    }
    switch isDecided {
    case true?: wakeAll()
    case false?: decide(byteCount, isEnd: false)
    case nil: broke()
    }
    return isUnshared ? .none : .body
  }

  /// Looks at the first bytes, once enough of them are there.
  private func decide(_ byteCount: Int?, isEnd: Bool) {
    let isChanged = state.withLock { state -> Bool in
      guard case .begun(let picture) = state.phase,
        isEnd || picture.status != 200 || state.body.count >= PictureKind.signatureByteCount
          || state.body.count == byteCount
      else { return false }
      guard picture.status != 200 || PictureCheck.isPicture(picture.fields, start: state.body) else {
        state.phase = .unshared
        state.body = []
        return true
      }
      guard let byteCount, isForFollowers(picture) else {
        state.phase = .gathering(picture)
        return false
      }
      state.phase = .passing(picture, byteCount: byteCount)
      return true
    }
    if isChanged { wakeAll() }
  }

  /// Whether others who asked meanwhile may have it (RFC 9111, section 4): it is fresh, or nothing is said about that.
  private func isForFollowers(_ picture: StoredPicture) -> Bool {
    if freshness != .rfc9111 { return true }
    guard !picture.terms.isNoCache else { return false }
    return !picture.terms.hasExplicitTime || picture.lifetime > picture.age(at: picture.received)
  }

  /// The answer is there whole.
  /// - Returns: it as it is to be kept; nil: it is not.
  func completed() -> StoredPicture? {
    decide(nil, isEnd: true)
    let picture = state.withLock { state -> StoredPicture? in
      let isWhole = state.byteCount.map { $0 == state.body.count } ?? true
      switch state.phase {
      case .passing(let found, _) where isWhole:
        return Self.finish(found, &state, isForFollowers: true)
      case .gathering(let found) where isWhole:
        return Self.finish(found, &state, isForFollowers: isForFollowers(found))
      case .passing: state.phase = .broken
      default: state.phase = .unshared
      }
      return nil
    }
    wakeAll()
    return picture
  }

  private static func finish(_ found: StoredPicture, _ state: inout State, isForFollowers: Bool) -> StoredPicture {
    let picture = found.with(body: state.body)
    state.body = []
    state.phase = isForFollowers ? .done(picture) : .unshared
    return picture
  }

  /// The origin confirmed what is stored, or did not answer and what is stored may stand in: that is the answer for all.
  func answered(with picture: StoredPicture) {
    state.withLock { $0.phase = .done(picture) }
    wakeAll()
  }

  /// There will be no answer for others, or no more of it.
  func broke() {
    let isChanged = state.withLock { state -> Bool in
      switch state.phase {
      case .done, .unshared, .broken: return false
      case .passing: state.phase = .broken
      default: state.phase = .unshared
      }
      state.body = []
      return true
    }
    if isChanged { wakeAll() }
  }

  /// Its leader has nothing to do with it any more.
  func close() {
    state.withLock { state in
      state.joined = nil
      state.deserted = nil
    }
  }
}
