import CLinux
import Glibc
import Synchronization

/// A listening socket that every loop accepts from. Safe on any thread.
///
/// The one descriptor is in the epoll set of each loop with EPOLLEXCLUSIVE, so that a connection wakes one loop. The
/// kernel prefers the first idle one; a loop that is clearly ahead of another hands new connections over (one hop at
/// the beginning of a connection, none later).
public final class Listener: Sendable {
  /// Called on `loop`, where the connection is to live. The callee owns the descriptor, which is nonblocking:
  /// `Socket(adopting:on:)`.
  public typealias AcceptHandler =
    @Sendable (_ descriptor: Int32, _ peer: SocketAddress, _ loop: EventLoop) -> Void

  private struct State {
    var isClosed = false
    var acceptors: [LoopBound<Acceptor>] = []
    var openAcceptors = 0
    var isFinished = false
    var whenClosed: [@Sendable () -> Void] = []
  }

  /// Where it really listens: port 0 is resolved.
  public let address: SocketAddress
  /// Whether the kernel hands it connections to addresses that are not this machine's (`Traits.destinations`).
  public let takesForeignDestinations: Bool

  private let descriptor: Int32
  /// The socket file that we made; nil for other kinds.
  private let socketFile: SocketFile?
  private let state = Mutex(State())

  /// Binds and listens. A Unix socket file that nobody listens on any more is replaced.
  public init(
    address: SocketAddress, traits: Traits = Traits(), backlog: Int32 = 4096
  ) throws(SystemError) {
    let descriptor = try address.makeSocket()
    do throws(SystemError) {
      takesForeignDestinations = traits.apply(to: descriptor, address)
      try Self.bind(descriptor, to: address)
      if let path = address.unixPath { traits.apply(toFile: path) }
      guard listen(descriptor, backlog) == 0 else { throw SystemError.last("listen") }
    } catch {
      Glibc.close(descriptor)
      throw error
    }
    self.descriptor = descriptor
    self.address = SocketAddress { getsockname(descriptor, $0, $1) } ?? address
    socketFile = address.unixPath.flatMap { SocketFile(path: $0) }
  }

  /// Takes over a descriptor that listens already, such as one from systemd. It is closed if this throws.
  public init(adopting descriptor: Int32) throws(SystemError) {
    guard SocketOption.get(descriptor, SOL_SOCKET, SO_ACCEPTCONN) == 1,
      let address = SocketAddress(from: { getsockname(descriptor, $0, $1) })
    else {
      Glibc.close(descriptor)
      throw SystemError(code: EINVAL, call: "listen")
    }
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    self.descriptor = descriptor
    self.address = address
    takesForeignDestinations = SocketOption.get(descriptor, Int32(IPPROTO_IP), IP_TRANSPARENT) == 1
    socketFile = nil
  }

  deinit {
    // Acceptors hold a reference, so nobody accepts any more: the listener was closed, or never started, or its loops
    // have ended.
    guard state.withLock({ !$0.isClosed }) else { return }
    socketFile?.remove()
    Glibc.close(descriptor)
  }

  /// Begins to accept on each of `loops`. Once; it takes effect on each loop in its next turn.
  public func start(on loops: [EventLoop], accept: @escaping AcceptHandler) {
    for loop in loops {
      loop.submit { self.attach(to: loop, of: loops, accept: accept) }
    }
  }

  private func attach(to loop: EventLoop, of loops: [EventLoop], accept: @escaping AcceptHandler) {
    let acceptor = Acceptor(descriptor: descriptor, loop: loop, loops: loops, listener: self, accept: accept)
    let isClosed = state.withLock { state in
      guard !state.isClosed else { return true }
      state.acceptors.append(LoopBound(acceptor, on: loop))
      state.openAcceptors += 1
      return false
    }
    guard !isClosed else { return }
    acceptor.begin()
  }

  /// Stops accepting on all loops, then closes the descriptor and removes the socket file that `init` made. Callable on
  /// any thread, more than once.
  ///
  /// - Parameter whenClosed: called on some thread when the address is free again, or at once if it was closed before.
  public func close(_ whenClosed: (@Sendable () -> Void)? = nil) {
    let (acceptors, isLast, isOver) = state.withLock { state -> ([LoopBound<Acceptor>], Bool, Bool) in
      if let whenClosed, !state.isFinished { state.whenClosed.append(whenClosed) }
      let isLast = !state.isClosed && state.openAcceptors == 0
      state.isClosed = true
      defer { state.acceptors = [] }
      return (state.acceptors, isLast, state.isFinished)
    }
    if isOver { whenClosed?() }
    // A loop that has ended refuses this, and has closed its acceptor by itself.
    for acceptor in acceptors { acceptor.onLoop { $0.close() } }
    if isLast { finish() }
  }

  /// An acceptor is out of its loop's epoll set. Whoever makes the last of a closed listener go, finishes.
  func acceptorClosed() {
    let (isLast, acceptors) = state.withLock { state -> (Bool, [LoopBound<Acceptor>]) in
      state.openAcceptors -= 1
      guard state.openAcceptors == 0 else { return (false, []) }
      defer { state.acceptors = [] }
      return (state.isClosed, state.acceptors)
    }
    if isLast { finish() }
    // They hold this listener, so that loops which end before it is closed would leave a cycle; let go of outside the
    // lock.
    withExtendedLifetime(acceptors) {}
  }

  private func finish() {
    socketFile?.remove()
    Glibc.close(descriptor)
    let waiting = state.withLock { state in
      state.isFinished = true
      defer { state.whenClosed = [] }
      return state.whenClosed
    }
    for job in waiting { job() }
  }

  // MARK: Binding

  private static func bind(_ descriptor: Int32, to address: SocketAddress) throws(SystemError) {
    if address.unixPath == nil { SocketOption.set(descriptor, SOL_SOCKET, SO_REUSEADDR, 1) }
    if try tryBind(descriptor, to: address) { return }
    let error = SystemError.last("bind")
    guard error.code == EADDRINUSE, let path = address.unixPath, SocketFile.isStale(path), unlink(path) == 0,
      try tryBind(descriptor, to: address)
    else { throw error }
  }

  private static func tryBind(_ descriptor: Int32, to address: SocketAddress) throws(SystemError) -> Bool {
    try address.withKernelAddress(for: "bind") { Glibc.bind(descriptor, $0, $1) } == 0
  }
}
