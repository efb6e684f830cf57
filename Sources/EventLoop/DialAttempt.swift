import Glibc

/// One dialling under way. Confined to its loop, which keeps it alive until it has called back or is cancelled.
public final class DialAttempt: SocketHandler {
  private let loop: EventLoop
  private let addresses: [SocketAddress]
  private let attemptDelay: Duration
  private var done: ((Result<Socket, DialFault>) -> Void)?
  private var next = 0
  private var connecting: [(socket: Socket, address: SocketAddress)] = []
  private var timer: Timer?
  private var fault: DialFault?

  /// The address that the reported fault belongs to; nil while there is none.
  public private(set) var failedAddress: SocketAddress?

  init(
    _ addresses: [SocketAddress], loop: EventLoop, attemptDelay: Duration,
    _ done: @escaping (Result<Socket, DialFault>) -> Void
  ) {
    self.attemptDelay = attemptDelay
    self.addresses = addresses
    self.loop = loop
    self.done = done
  }

  func begin() {
    loop.assertIsCurrent()
    timer = Timer(loop: loop) { [weak self] in self?.proceed() }
    proceed()
  }

  /// Closes all attempts. The callback is not called any more.
  public func cancel() {
    loop.assertIsCurrent()
    end()
  }

  /// Starts the next address that does not fail at once; reports the fault when there is none left and nothing is under
  /// way.
  private func proceed() {
    guard done != nil else { return }
    while next < addresses.count {
      let address = addresses[next]
      next += 1
      do throws(SystemError) {
        connecting.append((try connect(to: address), address))
        if next < addresses.count { timer?.start(after: attemptDelay) }
        return
      } catch {
        note(DialFault(error), at: address)
      }
    }
    guard connecting.isEmpty else { return }
    // Possibly inside the call that began this, so the news waits.
    loop.performSoon { self.fail() }
  }

  private func fail() {
    let done = end()
    done?(.failure(fault ?? .failed(SystemError(code: EDESTADDRREQ, call: "connect"))))
  }

  private func connect(to address: SocketAddress) throws(SystemError) -> Socket {
    let descriptor = try address.makeSocket()
    do throws(SystemError) {
      let result = try address.withKernelAddress(for: "connect") { Glibc.connect(descriptor, $0, $1) }
      // Interrupted or not, the attempt goes on in the kernel, and its outcome makes the socket writable.
      guard result == 0 || errno == EINPROGRESS || errno == EINTR else { throw SystemError.last("connect") }
    } catch {
      Glibc.close(descriptor)
      throw error
    }
    let socket = try Socket(nonblocking: descriptor, isConnected: false, on: loop)
    socket.handler = self
    return socket
  }

  public func socketReady(_ socket: Socket) {
    guard let index = connecting.firstIndex(where: { $0.socket === socket }), socket.isWritable || socket.isHungUp
    else { return }
    let address = connecting.remove(at: index).address
    let code = SocketOption.get(socket.descriptor, SOL_SOCKET, SO_ERROR) ?? errno
    guard code != 0 else {
      succeed(socket)
      return
    }
    socket.close()
    note(DialFault(SystemError(code: code, call: "connect")), at: address)
    proceed()
  }

  private func succeed(_ socket: Socket) {
    socket.handler = nil
    let done = end()
    done?(.success(socket))
    // The edge of early bytes (or an early end) may have passed, so the new handler is called for them.
    if socket.isOpen, socket.isReadable { socket.requeue() }
  }

  /// Lets go of everything and returns the callback, unless that has happened before.
  @discardableResult
  private func end() -> ((Result<Socket, DialFault>) -> Void)? {
    timer?.invalidate()
    timer = nil
    let losers = connecting
    connecting = []
    for loser in losers { loser.socket.close() }
    defer { done = nil }
    return done
  }

  private func note(_ new: DialFault, at address: SocketAddress) {
    if let fault, fault.weight >= new.weight { return }
    fault = new
    failedAddress = address
  }
}
