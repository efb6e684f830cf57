import HTTP
import Synchronization

/// The shared cache of pictures: in memory, and behind that on disk. Any thread may use it; nothing here waits.
///
/// What is found must still be judged for the request (`StoredPicture.use`).
public final class PictureCache: Sendable {
  struct State {
    var memory: PictureMemory
    var limits: PictureLimits
    /// By URL; under one several decisions may be fetched for.
    var fetches: [String: [PictureFetch]] = [:]
    /// The decision that each scope was last used under. Bounded: when it is full it starts anew, which only costs one look at the disk
    /// for each.
    var decisions: [String: String] = [:]
  }

  let state: Mutex<State>
  let shelf: PictureShelf
  private let counts: [Counter] = PictureEvent.allCases.map { _ in Counter() }
  /// What all fetches together hold of bodies that come.
  let held = Atomic<Int>(0)
  /// More than so much is not held: what comes then passes, and is not kept.
  static let heldLimit = 128 << 20
  private static let decisionLimit = 10_000
  private static let fetchLimit = 4_096

  final class Counter: Sendable {
    let value = Atomic<Int>(0)
  }

  /// - Parameters:
  ///   - folder: where the pictures on disk are; made when the first one is kept.
  ///   - work: runs jobs one after the other, away from loops; false: too many wait.
  ///   - report: told once what is wrong with the disk.
  public init(
    folder: String, limits: PictureLimits, work: @escaping @Sendable (@escaping @Sendable () -> Void) -> Bool,
    report: @escaping @Sendable (String) -> Void
  ) {
    state = Mutex(State(memory: PictureMemory(byteLimit: limits.memoryByteCount), limits: limits))
    shelf = PictureShelf(folder: folder, byteLimit: limits.diskByteCount, work: work, report: report)
  }

  /// After a reload.
  public func use(_ limits: PictureLimits) {
    state.withLock { state in
      state.limits = limits
      state.memory.byteLimit = limits.memoryByteCount
    }
    shelf.use(byteLimit: limits.diskByteCount)
  }

  public var freshness: Freshness { state.withLock { $0.limits.freshness } }

  /// Writes what waits, and ends.
  /// - Parameter done: called once, on another thread.
  public func close(_ done: @escaping @Sendable () -> Void) {
    shelf.close(done)
  }

  // MARK: looking up

  public enum Found: Sendable {
    case picture(StoredPicture)
    case nothing
    /// It may be on disk; ask there.
    case perhapsOnDisk
  }

  public func find(_ question: PictureQuestion) -> Found {
    noteDecision(question.place)
    if let picture = state.withLock({ $0.memory.find(question) }) { return .picture(picture) }
    return shelf.mayHold(question.place.url) ? .perhapsOnDisk : .nothing
  }

  /// - Parameter completion: called once, on another thread.
  public func findOnDisk(_ question: PictureQuestion, _ completion: @escaping @Sendable (StoredPicture?) -> Void) {
    shelf.find(question) { [self] picture in
      if let picture { state.withLock { $0.memory.insert(picture, for: question) } }
      completion(picture)
    }
  }

  /// The trust policy, identity or way of a host changed: what came before is gone, in memory and on disk.
  private func noteDecision(_ place: PicturePlace) {
    let isChanged = state.withLock { state -> Bool in
      guard state.decisions[place.scope] != place.decision else { return false }
      if state.decisions.count >= Self.decisionLimit { state.decisions = [:] }
      state.decisions[place.scope] = place.decision
      state.memory.wipe(scope: place.scope, except: place.decision)
      return true
    }
    if isChanged { shelf.wipe(scope: place.scope, except: place.decision) }
  }

  /// A reload changed a decision: what came under the old one is gone at once.
  public func wipe(scope: String, decision: String) {
    state.withLock { state in
      if state.decisions[scope] == decision { state.decisions[scope] = nil }
      state.memory.wipe(scope: scope, decision: decision)
    }
    shelf.wipe(scope: scope, decision: decision)
  }

  // MARK: keeping

  /// A picture was served.
  public func used(_ picture: StoredPicture, at now: Int64) {
    picture.wasUsed(at: now)
    shelf.used(picture, at: now)
  }

  func keep(_ picture: StoredPicture, for question: PictureQuestion) {
    guard freshness != .rfc9111 || picture.isWorthKeeping else { return }
    // A decision that changed meanwhile must not be filled with what came under the old one.
    let isCurrent = state.withLock { state -> Bool in
      guard state.decisions[picture.place.scope] == picture.place.decision else { return false }
      state.memory.insert(picture, for: question)
      return true
    }
    guard isCurrent else { return }
    count(.stored)
    shelf.insert(picture, for: question)
  }

  /// The stored picture as a 304 makes it (RFC 9111, section 4.3.4).
  public func refresh(
    _ picture: StoredPicture, for question: PictureQuestion, by head: ResponseHead, requested: Int64, received: Int64
  ) -> StoredPicture {
    let refreshed = picture.refreshed(by: head, requested: requested, received: received)
    state.withLock { $0.memory.insert(refreshed, for: question) }
    shelf.refresh(refreshed)
    count(.revalidated)
    return refreshed
  }

  /// An unsafe method had success (RFC 9111, section 4.4): whatever is stored of that URL is gone.
  public func invalidate(_ url: String) {
    state.withLock { $0.memory.remove(url) }
    if shelf.mayHold(url) { shelf.remove(url) }
    count(.invalidated)
  }

  // MARK: fetching

  public enum Role: Sendable {
    case leader(PictureFetch)
    case follower(PictureFetch)
    /// Neither: too much is under way, or the request is not one to share.
    case alone
  }

  /// Joins the fetch that is under way, or begins one.
  public func join(_ question: PictureQuestion, now: Int64) -> Role {
    state.withLock { state in
      let running = state.fetches[question.place.url] ?? []
      if question.mayFollow, let fetch = running.first(where: { $0.serves(question) }) { return .follower(fetch) }
      guard question.mayFill, state.fetches.count < Self.fetchLimit, running.count < 16 else { return .alone }
      let fetch = PictureFetch(
        question, state.limits.freshness, byteLimit: state.limits.pictureByteCount, requested: now)
      state.fetches[question.place.url] = running + [fetch]
      return .leader(fetch)
    }
  }

  /// Nobody joins it any longer.
  func retire(_ fetch: PictureFetch) {
    fetch.close()
    held.wrappingSubtract(fetch.held.exchange(0, ordering: .relaxed), ordering: .relaxed)
    state.withLock { state in
      state.fetches[fetch.question.place.url]?.removeAll { $0 === fetch }
      if state.fetches[fetch.question.place.url]?.isEmpty == true { state.fetches[fetch.question.place.url] = nil }
    }
  }

  // MARK: counting

  public func count(_ event: PictureEvent) {
    counts[event.rawValue].value.wrappingAdd(1, ordering: .relaxed)
  }

  public var readings: PictureReadings {
    let (memory, evictions) = state.withLock { ($0.memory.byteCount, $0.memory.evictionCount) }
    let disk = shelf.readings
    return PictureReadings(
      counts: counts.map { $0.value.load(ordering: .relaxed) }, memoryByteCount: memory,
      diskByteCount: disk.byteCount, memoryEvictionCount: evictions, diskEvictionCount: disk.evictionCount)
  }
}

extension PictureFetch {
  /// Whether that request may wait for this fetch. What its answer varies by shows later.
  func serves(_ other: PictureQuestion) -> Bool {
    // What was asked for with credentials, and what is asked for with them, is for one client.
    question.place == other.place && !question.terms.isAuthorized && !other.terms.isAuthorized && !isUnshared
  }
}
