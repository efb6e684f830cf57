import Database
import Synchronization

/// The way to the disk: jobs one after the other on a thread of their own. If the disk fails, the cache goes on without it.
final class PictureShelf: Sendable {
  private struct State {
    var byteLimit: Int
    /// Hashes of the URLs of which something is there; nil: not read yet.
    var known: Set<Int>?
    var byteCount = 0
    var evictionCount = 0
    var hasFailed = false
    var isClosed = false
  }

  /// Touched by jobs only, of which one runs at a time.
  private final class Room {
    var disk: PictureDisk?
  }

  private let folder: String
  private let work: @Sendable (@escaping @Sendable () -> Void) -> Bool
  private let report: @Sendable (String) -> Void
  private let state: Mutex<State>
  private let room: Mutex<Room>

  /// How often at most the disk is told that a picture was used, in milliseconds.
  private static let useInterval: Int64 = 1_000

  init(
    folder: String, byteLimit: Int, work: @escaping @Sendable (@escaping @Sendable () -> Void) -> Bool,
    report: @escaping @Sendable (String) -> Void
  ) {
    self.folder = folder
    self.work = work
    self.report = report
    state = Mutex(State(byteLimit: byteLimit))
    room = Mutex(Room())
  }

  // MARK: asking

  private var isOff: Bool { state.withLock { $0.byteLimit == 0 || $0.hasFailed || $0.isClosed } }

  /// False only if nothing of that URL can be there.
  func mayHold(_ url: String) -> Bool {
    state.withLock { state in
      guard state.byteLimit > 0, !state.hasFailed, !state.isClosed else { return false }
      return state.known?.contains(url.hashValue) ?? true
    }
  }

  func find(_ question: PictureQuestion, _ completion: @escaping @Sendable (StoredPicture?) -> Void) {
    let isTaken = work { [self] in
      completion(perform { disk throws(DatabaseFault) in try disk.find(question) } ?? nil)
    }
    if !isTaken { completion(nil) }
  }

  var readings: (byteCount: Int, evictionCount: Int) { state.withLock { ($0.byteCount, $0.evictionCount) } }

  // MARK: changing

  func insert(_ picture: StoredPicture, for question: PictureQuestion) {
    guard !isOff else { return }
    let isTaken = work { [self] in
      perform { disk throws(DatabaseFault) in try disk.insert(picture, for: question) }
    }
    guard isTaken else { return }
    state.withLock { _ = $0.known?.insert(picture.place.url.hashValue) }
  }

  func refresh(_ picture: StoredPicture) {
    guard mayHold(picture.place.url) else { return }
    submit { disk throws(DatabaseFault) in try disk.refresh(picture) }
  }

  func used(_ picture: StoredPicture, at now: Int64) {
    guard now - picture.usedOnDisk.load(ordering: .relaxed) >= Self.useInterval, mayHold(picture.place.url) else {
      return
    }
    picture.usedOnDisk.store(now, ordering: .relaxed)
    submit { disk throws(DatabaseFault) in try disk.used(picture.place, at: now) }
  }

  func remove(_ url: String) {
    submit { disk throws(DatabaseFault) in try disk.remove(url: url) }
    state.withLock { _ = $0.known?.remove(url.hashValue) }
  }

  func wipe(scope: String, except decision: String) {
    guard !isOff else { return }
    submit { disk throws(DatabaseFault) in try disk.wipe(scope: scope, except: decision) }
  }

  func wipe(scope: String, decision: String) {
    guard !isOff else { return }
    submit { disk throws(DatabaseFault) in try disk.wipe(scope: scope, decision: decision) }
  }

  func use(byteLimit: Int) {
    let isOpen = state.withLock { state in
      state.byteLimit = byteLimit
      return state.known != nil
    }
    guard isOpen else { return }
    submit { disk throws(DatabaseFault) in
      disk.byteLimit = byteLimit
      try disk.sweep()
    }
  }

  /// Ends the use of the disk behind the jobs that wait.
  /// - Parameter done: called once.
  func close(_ done: @escaping @Sendable () -> Void) {
    let end: @Sendable () -> Void = { [self] in
      state.withLock { $0.isClosed = true }
      room.withLock { room in
        room.disk?.close()
        room.disk = nil
      }
      done()
    }
    if !work(end) { end() }
  }

  // MARK: jobs

  private func submit(_ job: @escaping @Sendable (PictureDisk) throws(DatabaseFault) -> Void) {
    guard !isOff else { return }
    _ = work { [self] in perform(job) }
  }

  /// On the thread of jobs.
  @discardableResult
  private func perform<Result: Sendable>(_ job: @Sendable (PictureDisk) throws(DatabaseFault) -> Result) -> Result? {
    guard !isOff else { return nil }
    return room.withLock { room -> Result? in
      do throws(DatabaseFault) {
        return try carryOut(job, in: room)
      } catch {
        room.disk?.close()
        room.disk = nil
        failed(error)
        return nil
      }
    }
  }

  private func carryOut<Result: Sendable>(
    _ job: @Sendable (PictureDisk) throws(DatabaseFault) -> Result, in room: Room
  ) throws(DatabaseFault) -> Result {
    let disk: PictureDisk
    if let open = room.disk { disk = open } else { disk = try open() }
    room.disk = disk
    let result = try job(disk)
    state.withLock { state in
      state.byteCount = disk.byteCount
      state.evictionCount = disk.evictionCount
    }
    return result
  }

  private func open() throws(DatabaseFault) -> PictureDisk {
    let limit = state.withLock { $0.byteLimit }
    let disk: PictureDisk
    do throws(DatabaseFault) {
      disk = try PictureDisk(folder: folder, byteLimit: limit)
    } catch  where [.corrupt, .foreign].contains(error.kind) {
      PictureDisk.discard(folder: folder)
      disk = try PictureDisk(folder: folder, byteLimit: limit)
    }
    var known: Set<Int> = []
    try disk.forEachURL { known.insert($0.hashValue) }
    state.withLock { $0.known = known }
    return disk
  }

  /// A disk that is full for a moment, or in use, is asked again; one that is damaged or not there is not.
  private func failed(_ fault: DatabaseFault) {
    if fault.kind == .busy { return }
    if fault.kind == .corrupt { return PictureDisk.discard(folder: folder) }
    let isFirst = state.withLock { state in
      defer { state.hasFailed = true }
      return !state.hasFailed
    }
    if isFirst { report(fault.description) }
  }
}
