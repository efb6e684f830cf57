import HTTP
import Synchronization

/// One request to an origin whose answer several clients may wait for. Any thread may use it: its leader tells what comes, and its
/// followers, on whatever loop, read that at their own pace.
///
/// It holds what has come of the body, which is bounded by `byteLimit` and, for all fetches together, by the cache.
public final class PictureFetch: Sendable {
  /// What a follower finds.
  public enum View: Sendable {
    /// Nothing can be said yet.
    case undecided
    /// The answer is not for others: each asks for itself.
    case unshared
    /// It comes: what is known of it, without its body, and how long that will be.
    case passing(StoredPicture, byteCount: Int)
    /// It is there whole.
    case stored(StoredPicture)
    /// It broke off behind its head.
    case broken
  }

  enum Phase {
    case waiting
    /// The head is there, and not yet whether what follows is a picture.
    case begun(StoredPicture)
    case passing(StoredPicture, byteCount: Int)
    /// The same, of unknown length or not for others as it is: nobody reads it before its end.
    case gathering(StoredPicture)
    case done(StoredPicture)
    case unshared
    case broken
  }

  struct State {
    var phase = Phase.waiting
    var body: [UInt8] = []
    /// What was announced of the body; nil: nothing.
    var byteCount: Int?
    var followers: [Int: @Sendable () -> Void] = [:]
    var nextFollower = 0
    /// Called when there is a follower more.
    var joined: (@Sendable () -> Void)?
    /// Called when the last follower has gone.
    var deserted: (@Sendable () -> Void)?
  }

  public let question: PictureQuestion
  let freshness: Freshness
  let byteLimit: Int
  let requested: Int64
  let state = Mutex(State())
  /// What it holds of the body, for the sum of the cache.
  let held = Atomic<Int>(0)

  init(_ question: PictureQuestion, _ freshness: Freshness, byteLimit: Int, requested: Int64) {
    self.question = question
    self.freshness = freshness
    self.byteLimit = byteLimit
    self.requested = requested
  }

  // MARK: following

  /// - Parameter wake: called, on any thread, whenever there may be more to see.
  /// - Returns: what to leave with.
  public func join(_ wake: @escaping @Sendable () -> Void) -> Int {
    let (follower, joined) = state.withLock { state in
      state.nextFollower += 1
      state.followers[state.nextFollower] = wake
      return (state.nextFollower, state.joined)
    }
    joined?()
    return follower
  }

  /// - Parameter joined: called, on any thread, when there is a follower more.
  public func lead(_ joined: @escaping @Sendable () -> Void) {
    state.withLock { $0.joined = joined }
  }

  public func leave(_ follower: Int) {
    let deserted = state.withLock { state -> (@Sendable () -> Void)? in
      state.followers[follower] = nil
      return state.followers.isEmpty ? state.deserted : nil
    }
    deserted?()
  }

  public var hasFollowers: Bool { state.withLock { !$0.followers.isEmpty } }

  /// Its leader's client has gone: `deserted` is called when nobody is left.
  /// - Returns: false: nobody is there now.
  public func goOn(unless deserted: @escaping @Sendable () -> Void) -> Bool {
    state.withLock { state in
      guard !state.followers.isEmpty else { return false }
      state.deserted = deserted
      return true
    }
  }

  /// - Parameter isStreaming: whether the follower takes the body as it comes.
  public func view(for question: PictureQuestion, isStreaming: Bool) -> View {
    state.withLock { state in
      switch state.phase {
      case .waiting, .begun, .gathering: return .undecided
      case .unshared: return .unshared
      case .broken: return isStreaming ? .broken : .unshared
      case .done(let picture): return picture.variant.matches(question.fields) ? .stored(picture) : .unshared
      case .passing(let picture, let byteCount):
        guard picture.variant.matches(question.fields) else { return .unshared }
        return question.isPlain ? .passing(picture, byteCount: byteCount) : .undecided
      }
    }
  }

  /// Bytes of the body from `offset` on, at most `limit`.
  public func bytes(from offset: Int, limit: Int) -> [UInt8] {
    state.withLock { state in
      let body: [UInt8] = if case .done(let picture) = state.phase { picture.body } else { state.body }
      guard offset < body.count else { return [] }
      return Array(body[offset..<min(body.count, offset + limit)])
    }
  }

  func wakeAll() {
    for wake in state.withLock({ Array($0.followers.values) }) { wake() }
  }
}
