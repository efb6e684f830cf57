import Bytes
import EventLoop
import Glibc

/// A client's end of a connection to the console. Confined to its loop; `Client` is its face for tests.
final class ClientWire: SocketHandler {
  private struct Waiter {
    let isDone: (ClientWire) -> Bool
    let resume: (Bool) -> Void
    let timer: Timer
  }

  let socket: Socket
  let received = ByteQueue()
  private(set) var hasEnded = false
  /// While it is set nothing is read.
  var isPaused = false {
    didSet { if !isPaused { socket.requeue() } }
  }
  private let outgoing = ByteQueue()
  private var waiters: [Waiter] = []
  /// What has come is looked through once, however often somebody asks.
  private var searchedCount = 0

  init(_ socket: Socket) {
    self.socket = socket
    socket.handler = self
    socket.requeue()
  }

  func send(_ bytes: [UInt8]) {
    outgoing.append(bytes)
    socketReady(socket)
  }

  func socketReady(_ socket: Socket) {
    if !outgoing.isEmpty { _ = socket.write(from: outgoing) }
    while !isPaused, !hasEnded, socket.isOpen {
      switch socket.read(into: socket.loop.readBuffer) {
      case .bytes(let count):
        received.append(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(socket.loop.readBuffer)[..<count]))
      case .wouldBlock: return wake()
      case .ended, .failed: hasEnded = true
      }
    }
    wake()
  }

  /// Whether what has come holds `text`; always asked for the same until `takeAll`.
  func holds(_ text: [UInt8]) -> Bool {
    let from = max(0, searchedCount - text.count)
    searchedCount = received.count
    return Self.holds(text, in: UnsafeRawBufferPointer(rebasing: received.bytes[from...]))
  }

  /// By the C library: megabytes are looked through in builds for debugging.
  private static func holds(_ text: [UInt8], in bytes: UnsafeRawBufferPointer) -> Bool {
    guard var place = bytes.baseAddress, let first = text.first else { return false }
    var left = bytes.count
    while left >= text.count, let found = memchr(place, Int32(first), left - text.count + 1) {
      if memcmp(found, text, text.count) == 0 { return true }
      left -= UnsafeRawPointer(found) - place + 1
      place = UnsafeRawPointer(found) + 1
    }
    return false
  }

  /// Takes all that has come.
  func takeAll() -> String {
    defer {
      received.removeAll()
      searchedCount = 0
    }
    return String(decoding: received.bytes, as: UTF8.self)
  }

  /// Calls `resume` with true once `isDone`, with false when that takes too long.
  func wait(_ isDone: @escaping (ClientWire) -> Bool, _ resume: @escaping (Bool) -> Void) {
    if isDone(self) { return resume(true) }
    let timer = Timer(loop: socket.loop) { [weak self] in self?.expire() }
    waiters.append(Waiter(isDone: isDone, resume: resume, timer: timer))
    timer.start(after: .seconds(20))
  }

  private func wake() {
    let ready = waiters.filter { $0.isDone(self) }
    waiters.removeAll { waiter in ready.contains { $0.timer === waiter.timer } }
    for waiter in ready {
      waiter.timer.cancel()
      waiter.resume(true)
    }
  }

  private func expire() {
    let late = waiters.filter { !$0.timer.isArmed }
    waiters.removeAll { !$0.timer.isArmed }
    for waiter in late { waiter.resume(false) }
  }
}
