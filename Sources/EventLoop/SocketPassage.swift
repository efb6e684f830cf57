import Bytes
import Glibc

/// Passes the bytes that come from one socket on to another as they are, until the first ends. Confined to their loop.
///
/// Few bytes are copied, since that is cheaper; where many come the kernel moves them through a pipe. Nothing is read while something
/// waits to be written, so what is kept is at most one buffer or one pipe full.
public final class SocketPassage {
  public enum Progress: Equatable {
    /// Nothing can be done before either socket is ready.
    case waits
    /// There is more to do, and others shall have their turn: the source was queued for it.
    case continues
    /// The source has ended, and everything is passed on.
    case ended
    case failed(SystemError)
  }

  private static let stepsPerTurn = 8
  /// A pipe that was filled less than this did not pay.
  private static let bulkByteCount = 16_384

  public let source: Socket
  public let sink: Socket
  /// Bytes taken from the source.
  public private(set) var byteCount = 0
  /// What the sink did not take of what was copied.
  private let pending = ByteQueue()
  private var pipe: KernelPipe?
  private var isBulk = false
  private var canSplice = true

  /// - Parameter first: what goes before everything that the source still has; taken off the queue.
  public init(from source: Socket, to sink: Socket, first: ByteQueue) {
    self.source = source
    self.sink = sink
    first.move(first.count, to: pending)
  }

  /// Goes on as far as both sockets allow.
  public func advance() -> Progress {
    for _ in 0..<Self.stepsPerTurn {
      if let stop = write() ?? read() { return stop }
    }
    source.requeue()
    return .continues
  }

  /// Nothing more is to be passed on.
  public func end() {
    pipe = nil
    pending.removeAll()
  }

  // MARK: steps; nil: done, the next one may follow

  private func write() -> Progress? {
    while !pending.isEmpty {
      switch sink.write(from: pending) {
      case .bytes: break
      case .failed(let error): return .failed(error)
      case .wouldBlock, .ended: return .waits
      }
    }
    while let pipe, pipe.count > 0 {
      switch sink.splice(from: pipe) {
      case .bytes(let count) where count > 0: break
      case .failed(let error): return .failed(error)
      case .bytes, .wouldBlock, .ended: return .waits
      }
    }
    releasePipe()
    return nil
  }

  private func releasePipe() {
    guard let pipe else { return }
    self.pipe = nil
    source.loop.pipes.give(back: pipe)
  }

  private func read() -> Progress? {
    guard isBulk, canSplice, let pipe = source.loop.pipes.take() else { return copy() }
    let outcome = source.splice(into: pipe)
    self.pipe = pipe
    switch outcome {
    case .bytes(let count):
      byteCount += count
      isBulk = count >= Self.bulkByteCount
      return nil
    case .failed(let error) where error.code == EINVAL:
      // A kind of socket that cannot be spliced.
      canSplice = false
      return copy()
    case .wouldBlock, .ended, .failed:
      releasePipe()
      return stop(outcome)
    }
  }

  private func copy() -> Progress? {
    releasePipe()
    let buffer = source.loop.readBuffer
    let outcome = source.read(into: buffer)
    guard case .bytes(let count) = outcome else { return stop(outcome) }
    byteCount += count
    isBulk = count == buffer.count
    let bytes = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<count])
    var written = 0
    switch sink.write(bytes) {
    case .bytes(let count): written = count
    case .failed(let error): return .failed(error)
    case .wouldBlock, .ended: break
    }
    if written < count { pending.append(UnsafeRawBufferPointer(rebasing: bytes[written...])) }
    return nil
  }

  private func stop(_ outcome: IOOutcome) -> Progress {
    switch outcome {
    case .ended: .ended
    case .failed(let error): .failed(error)
    case .bytes, .wouldBlock: .waits
    }
  }
}
