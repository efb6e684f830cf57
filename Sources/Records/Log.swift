import Bytes
import Dispatch
import Glibc
import Synchronization

/// The log on standard output (or another descriptor). Any thread may use it; writing happens on a queue of its own, so a slow
/// reader of the log stalls nobody. What does not fit into the bound is dropped and counted, and the count is logged.
public final class Log: Sendable {
  private struct State {
    var pending: [UInt8] = []
    var isWriting = false
    /// Lines that were lost: since the last report of a loss, and in all.
    var unreported = 0
    var lost = 0
    var isBroken = false
  }

  public let text: RecordText
  private let descriptor: Int32
  private let threshold: Atomic<Int>
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "pinwarden.log", qos: .utility)
  private let bound = 8 << 20
  /// Between two writes.
  private static let pauseMicroseconds: UInt32 = 5_000

  public init(format: RecordText.Format, level: LogLevel, descriptor: Int32 = STDOUT_FILENO) {
    text = RecordText(format: format)
    self.descriptor = descriptor
    threshold = Atomic(level.rawValue)
  }

  /// Whether events of this level are written at all. Cheap: asked before a record is built.
  public func writes(_ level: LogLevel) -> Bool {
    level.rawValue <= threshold.load(ordering: .relaxed)
  }

  /// The level from now on, as after a reload.
  public func use(level: LogLevel) {
    threshold.store(level.rawValue, ordering: .relaxed)
  }

  public func write(_ event: LogEvent) {
    guard writes(event.level) else { return }
    let out = ByteQueue()
    text.append(event, at: Self.now, to: out)
    submit(out)
  }

  /// Takes whole lines out of `lines`; one call for many records.
  public func submit(_ lines: ByteQueue) {
    guard !lines.isEmpty else { return }
    let mustStart = state.withLock { state in
      guard !state.isBroken, state.pending.count + lines.count <= bound else {
        let count = lines.bytes.count { $0 == UInt8(ascii: "\n") }
        state.unreported += count
        state.lost += count
        return false
      }
      state.pending.append(contentsOf: lines.bytes)
      defer { state.isWriting = true }
      return !state.isWriting
    }
    lines.removeAll()
    if mustStart { queue.async { self.drain() } }
  }

  /// Waits until everything that was submitted is written, at most `milliseconds`. Not for loops.
  public func flush(milliseconds: Int) {
    let done = DispatchSemaphore(value: 0)
    queue.async { done.signal() }
    _ = done.wait(timeout: .now() + .milliseconds(milliseconds))
  }

  /// Records lost so far because the reader was too slow or gone.
  public var droppedCount: Int { state.withLock { $0.lost } }

  /// Bytes that wait to be written.
  public var waitingByteCount: Int { state.withLock { $0.pending.count } }

  private func drain() {
    while true {
      let (batch, dropped) = state.withLock { state in
        let batch = state.pending
        state.pending = []
        if batch.isEmpty { state.isWriting = false }
        defer { if !batch.isEmpty { state.unreported = 0 } }
        return (batch, batch.isEmpty ? 0 : state.unreported)
      }
      guard !batch.isEmpty else { return }
      write(batch)
      // Under load a loop hands over lines in every turn; waking for each of them would cost more than the lines do.
      usleep(Self.pauseMicroseconds)
      guard dropped > 0 else { continue }
      let out = ByteQueue()
      text.append(LogEvent(.warning, "records-dropped", [("count", .number(dropped))]), at: Self.now, to: out)
      write(Array(out.bytes))
    }
  }

  private func write(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { buffer in
      var done = 0
      while done < buffer.count {
        let count = Glibc.write(descriptor, buffer.baseAddress?.advanced(by: done), buffer.count - done)
        if count > 0 {
          done += count
        } else if errno == EAGAIN {
          var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
          _ = Glibc.poll(&poll, 1, 1_000)
        } else if errno != EINTR {
          // The reader is gone for good; keep serving without a log.
          state.withLock { $0.isBroken = true }
          return
        }
      }
    }
  }

  /// Milliseconds since 1970.
  public static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
  }
}
