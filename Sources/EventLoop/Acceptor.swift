import CLinux
import Glibc

/// A listener's end on one loop. Confined to it, and registered there until the listener closes or the loop ends.
final class Acceptor: EventSource {
  /// How many connections one turn takes; the epoll set is level-triggered here and reports the rest in the next.
  private static let acceptsPerTurn = 64
  /// How long the acceptor rests when the process has no descriptors or memory left.
  private static let pause = Duration.milliseconds(100)

  private let descriptor: Int32
  private let loop: EventLoop
  private let loops: [EventLoop]
  private let listener: Listener
  private let accept: Listener.AcceptHandler

  private var key: UInt64 = 0
  private var isClosed = false
  private var timer: Timer?
  /// Kept open to be closed when descriptors run out, so that one connection can be accepted and told to go away.
  private var reserve: Int32 = -1

  init(
    descriptor: Int32, loop: EventLoop, loops: [EventLoop], listener: Listener,
    accept: @escaping Listener.AcceptHandler
  ) {
    self.descriptor = descriptor
    self.loop = loop
    self.loops = loops
    self.listener = listener
    self.accept = accept
  }

  deinit {
    if reserve >= 0 { Glibc.close(reserve) }
  }

  /// Registers with the loop and begins to accept.
  func begin() {
    key = loop.adopt(self)
    timer = Timer(loop: loop) { [weak self] in self?.resume() }
    resume()
  }

  private func resume() {
    guard !isClosed else { return }
    openReserve()
    if !loop.watch(descriptor, events: EPOLLIN.rawValue | EPOLLEXCLUSIVE.rawValue, key: key) {
      timer?.start(after: Self.pause)
    }
  }

  private func rest() {
    loop.unwatch(descriptor)
    timer?.start(after: Self.pause)
  }

  /// Stops accepting on this loop.
  func close() {
    guard !isClosed else { return }
    loop.unwatch(descriptor)
    loop.unregister(key)
    end()
  }

  func loopStopped() {
    guard !isClosed else { return }
    end()
  }

  private func end() {
    isClosed = true
    timer?.invalidate()
    timer = nil
    listener.acceptorClosed()
  }

  func eventArrived(_ events: UInt32) {
    for _ in 0..<Self.acceptsPerTurn {
      guard !isClosed else { return }
      var accepted: Int32 = -1
      var code: Int32 = 0
      let peer = SocketAddress { address, length in
        accepted = clinux_accept(descriptor, address, length)
        code = errno
        return accepted
      }
      guard accepted < 0 else {
        deliver(accepted, peer: peer ?? SocketAddress(unixPath: ""))
        continue
      }
      switch code {
      case EAGAIN: return
      case EMFILE, ENFILE:
        shed()
        return
      case ENOBUFS, ENOMEM, EBADF, EINVAL:
        rest()
        return
      default:
        // ECONNABORTED, EINTR, and network errors of the connection that accept(2) hands on: the next one may be fine.
        continue
      }
    }
  }

  /// No descriptors left. A few clients are told so by a close, instead of waiting in the backlog for nothing; then the
  /// acceptor rests, since the kernel would report the waiting ones without end.
  private func shed() {
    for _ in 0..<Self.acceptsPerTurn where reserve >= 0 {
      Glibc.close(reserve)
      reserve = -1
      let accepted = clinux_accept(descriptor, nil, nil)
      if accepted >= 0 { Glibc.close(accepted) }
      openReserve()
      if accepted < 0 { break }
    }
    rest()
  }

  private func openReserve() {
    if reserve < 0 { reserve = open("/dev/null", O_RDONLY | O_CLOEXEC) }
  }

  // MARK: Spreading over the loops

  private func deliver(_ accepted: Int32, peer: SocketAddress) {
    let target = lightestLoop()
    if target !== loop {
      let accept = accept
      // Counted until it is registered there, or a burst would all go to the same loop.
      target.addLoad(1)
      let isSubmitted = target.submit {
        target.addLoad(-1)
        accept(accepted, peer, target)
      }
      if isSubmitted { return }
      target.addLoad(-1)
    }
    accept(accepted, peer, loop)
  }

  /// This loop, unless another has clearly less to do.
  private func lightestLoop() -> EventLoop {
    var lightest = loop
    var least = loop.load
    for other in loops where other.load < least {
      lightest = other
      least = other.load
    }
    return loop.load - least > max(4, least / 8) ? lightest : loop
  }
}
