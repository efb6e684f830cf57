import Bytes
import CLinux
import Glibc

/// Learns when a socket's readiness changes. Confined to the socket's loop.
public protocol SocketHandler: AnyObject {
  /// Something that was not so before is so now: bytes (or the end) can be read, bytes can be written, or the peer hung
  /// up. Also the answer to `Socket.requeue`.
  ///
  /// There is no second call for what is left undone: read until `wouldBlock` or `ended`, or remember to continue, or
  /// `requeue`.
  func socketReady(_ socket: Socket)
}

/// A connected stream socket, confined to its loop, and in the loop's epoll set once, edge-triggered, from adoption to
/// `close`.
///
/// Readiness is kept in bits that stay set until a call finds the opposite, so reading and writing cost no system call
/// when the answer is known. An open socket is owned by its loop: whoever is done with it must call `close` or `reset`.
public final class Socket {
  private struct Bits: OptionSet {
    let rawValue: UInt8
    static let readable = Bits(rawValue: 1)
    static let writable = Bits(rawValue: 2)
    static let hungUp = Bits(rawValue: 4)
    static let ended = Bits(rawValue: 8)
    static let requeued = Bits(rawValue: 16)
    static let broken = Bits(rawValue: 32)
  }

  private static let edges = EPOLLIN.rawValue | EPOLLOUT.rawValue | EPOLLRDHUP.rawValue | EPOLLET.rawValue

  public let loop: EventLoop

  /// Whom to call. `close` and `reset` let go of it. A new handler is not called for what happened before: `requeue` if
  /// in doubt.
  public var handler: (any SocketHandler)?

  private var bits: Bits
  private var key: UInt64 = 0

  /// The open descriptor, for `setsockopt` and the like; -1 after `close`.
  public private(set) var descriptor: Int32

  /// Takes over a connected descriptor, makes it nonblocking and switches Nagle's algorithm off. If this throws, the
  /// descriptor is closed.
  public convenience init(adopting descriptor: Int32, on loop: EventLoop) throws(SystemError) {
    let flags = fcntl(descriptor, F_GETFL)
    if flags >= 0, flags & O_NONBLOCK == 0 {
      _ = fcntl(descriptor, F_SETFL, flags | O_NONBLOCK)
    }
    try self.init(nonblocking: descriptor, isConnected: true, on: loop)
  }

  /// - Parameter isConnected: false while `connect` is under way; then the first thing to happen is that the socket
  ///   becomes writable.
  init(nonblocking descriptor: Int32, isConnected: Bool, on loop: EventLoop) throws(SystemError) {
    self.loop = loop
    self.descriptor = descriptor
    bits = isConnected ? .writable : []
    SocketOption.set(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
    do {
      key = try loop.register(descriptor, events: Self.edges, source: self)
    } catch {
      Glibc.close(descriptor)
      self.descriptor = -1
      throw error
    }
  }

  deinit {
    if descriptor >= 0 { Glibc.close(descriptor) }
  }

  public var isOpen: Bool { descriptor >= 0 }

  /// Bytes or the end may be waiting. Stays set until a read finds nothing.
  public var isReadable: Bool { bits.contains(.readable) }

  /// The kernel may take bytes. Stays set until a write finds no room.
  public var isWritable: Bool { bits.contains(.writable) }

  /// The peer has sent its end, or the connection is broken. Bytes may still be waiting to be read.
  public var isHungUp: Bool { bits.contains(.hungUp) }

  /// Nothing will ever pass again in either direction: a reset or another failure, or both ends have been sent. Tells a
  /// client that is gone from one that has only sent its end. Bytes that came before may still be waiting.
  public var isBroken: Bool { bits.contains(.broken) }

  // MARK: Bytes

  /// Reads at most `buffer.count` bytes.
  ///
  /// - Returns: `ended` when the peer has sent its end (then again for every further read).
  public func read(into buffer: UnsafeMutableRawBufferPointer) -> IOOutcome {
    loop.assertIsCurrent()
    guard isOpen else { return .failed(SystemError(code: EBADF, call: "recv")) }
    if bits.contains(.ended) { return .ended }
    guard bits.contains(.readable) else { return .wouldBlock }
    guard buffer.count > 0 else { return .bytes(0) }
    while true {
      let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
      if count > 0 {
        // A short read has emptied the socket and the next byte makes an edge (epoll(7)). Not so at the end, whose edge
        // has passed.
        if count < buffer.count, !bits.contains(.hungUp) { bits.remove(.readable) }
        return .bytes(count)
      }
      if count == 0 {
        bits.insert(.ended)
        bits.remove(.readable)
        return .ended
      }
      switch errno {
      case EINTR: continue
      case EAGAIN:
        bits.remove(.readable)
        return .wouldBlock
      default: return .failed(.last("recv"))
      }
    }
  }

  /// Sends as much of `bytes` as the kernel takes. Never raises SIGPIPE.
  public func write(_ bytes: UnsafeRawBufferPointer) -> IOOutcome {
    loop.assertIsCurrent()
    guard isOpen else { return .failed(SystemError(code: EBADF, call: "send")) }
    guard bytes.count > 0 else { return .bytes(0) }
    guard bits.contains(.writable) else { return .wouldBlock }
    while true {
      let count = send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
      if count >= 0 {
        if count < bytes.count { bits.remove(.writable) }
        return .bytes(count)
      }
      switch errno {
      case EINTR: continue
      case EAGAIN:
        bits.remove(.writable)
        return .wouldBlock
      default: return .failed(.last("send"))
      }
    }
  }

  /// Sends from the front of `queue` as much as the kernel takes, and takes it off the queue.
  ///
  /// - Returns: `bytes` with what was sent (0 if nothing was waiting), or `wouldBlock` if nothing could be sent.
  public func write(from queue: ByteQueue) -> IOOutcome {
    let outcome = write(queue.bytes)
    if case .bytes(let count) = outcome { queue.consume(count) }
    return outcome
  }

  // MARK: Splicing

  /// Moves what has come into an empty pipe, as much as it takes, without copying it.
  func splice(into pipe: KernelPipe) -> IOOutcome {
    guard isOpen else { return .failed(SystemError(code: EBADF, call: "splice")) }
    if bits.contains(.ended) { return .ended }
    guard bits.contains(.readable) else { return .wouldBlock }
    while true {
      let count = pipe.fill(from: descriptor)
      if count > 0 { return .bytes(count) }
      if count == 0 {
        bits.insert(.ended)
        bits.remove(.readable)
        return .ended
      }
      switch errno {
      case EINTR: continue
      case EAGAIN:
        bits.remove(.readable)
        return .wouldBlock
      default: return .failed(.last("splice"))
      }
    }
  }

  /// Moves as much out of a pipe as the kernel takes.
  func splice(from pipe: KernelPipe) -> IOOutcome {
    guard isOpen else { return .failed(SystemError(code: EBADF, call: "splice")) }
    guard bits.contains(.writable) else { return .wouldBlock }
    while true {
      let count = pipe.drain(to: descriptor)
      if count >= 0 { return .bytes(count) }
      switch errno {
      case EINTR: continue
      case EAGAIN:
        bits.remove(.writable)
        return .wouldBlock
      default: return .failed(.last("splice"))
      }
    }
  }

  // MARK: Turns and endings

  /// Has the handler called again in the next turn, after the events: how a long read gives the other sockets their
  /// turn.
  public func requeue() {
    loop.assertIsCurrent()
    guard isOpen, !bits.contains(.requeued) else { return }
    bits.insert(.requeued)
    loop.requeue(self)
  }

  /// Sends our end; reading goes on.
  public func shutdownWrite() {
    guard isOpen else { return }
    shutdown(descriptor, Int32(SHUT_WR))
  }

  /// Closes, lets go of the handler, and drops events that are still under way. Safe inside any callback, more than
  /// once.
  public func close() {
    loop.assertIsCurrent()
    guard isOpen else { return }
    loop.unregister(key)
    closeDescriptor()
  }

  /// Closes so that the peer sees a reset (RST) instead of an end.
  public func reset() {
    guard isOpen else { return }
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    close()
  }

  private func closeDescriptor() {
    let descriptor = descriptor
    self.descriptor = -1
    handler = nil
    Glibc.close(descriptor)
  }

  func runRequeued() {
    bits.remove(.requeued)
    guard isOpen else { return }
    handler?.socketReady(self)
  }
}

extension Socket: EventSource {
  func eventArrived(_ events: UInt32) {
    var new: Bits = []
    let broken = EPOLLHUP.rawValue | EPOLLERR.rawValue
    if events & (EPOLLIN.rawValue | EPOLLRDHUP.rawValue | broken) != 0 { new.insert(.readable) }
    if events & (EPOLLOUT.rawValue | broken) != 0 { new.insert(.writable) }
    if events & (EPOLLRDHUP.rawValue | broken) != 0 { new.insert(.hungUp) }
    if events & broken != 0 { new.insert(.broken) }
    let isNews = !bits.isSuperset(of: new)
    bits.formUnion(new)
    // A requeued socket is called later in this turn anyway.
    guard isNews, !bits.contains(.requeued) else { return }
    handler?.socketReady(self)
  }

  func loopStopped() {
    if isOpen { closeDescriptor() }
  }
}
