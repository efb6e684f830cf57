import Bytes
import Glibc
import Synchronization
import Testing

@testable import EventLoop

/// Runs `body` on `loop` and hands its result over.
func on<T: Sendable>(_ loop: EventLoop, _ body: @escaping @Sendable () -> T) async -> T {
  await withCheckedContinuation { continuation in
    loop.submit { continuation.resume(returning: body()) }
  }
}

/// Loops that are stopped when the test is over.
func withLoops<T>(_ count: Int, _ body: ([EventLoop]) async throws -> T) async throws -> T {
  let loops = try EventLoop.start(count: count, name: "test")
  do {
    let result = try await body(loops)
    for loop in loops { await stopped(loop) }
    return result
  } catch {
    for loop in loops { await stopped(loop) }
    throw error
  }
}

func stopped(_ loop: EventLoop) async {
  await withCheckedContinuation { continuation in
    loop.stop { continuation.resume() }
  }
}

/// Something that happens once, for which a test waits.
final class Once<Value: Sendable>: Sendable {
  private enum State {
    case nothing
    case waiting(CheckedContinuation<Value, Never>)
    case happened(Value)
  }

  private let state = Mutex(State.nothing)

  /// Later calls change nothing.
  func happen(_ value: Value) {
    let waiting = state.withLock { state -> CheckedContinuation<Value, Never>? in
      defer { if case .happened = state {} else { state = .happened(value) } }
      guard case .waiting(let continuation) = state else { return nil }
      return continuation
    }
    waiting?.resume(returning: value)
  }

  var value: Value {
    get async {
      await withCheckedContinuation { continuation in
        let ready = state.withLock { state -> Value? in
          if case .happened(let value) = state { return value }
          state = .waiting(continuation)
          return nil
        }
        if let ready { continuation.resume(returning: ready) }
      }
    }
  }

  var hasHappened: Bool {
    state.withLock { state in
      if case .happened = state { return true }
      return false
    }
  }
}

/// Handles a socket with a closure.
final class Handler: SocketHandler {
  private let body: (Socket) -> Void

  init(_ body: @escaping (Socket) -> Void) {
    self.body = body
  }

  func socketReady(_ socket: Socket) {
    body(socket)
  }
}

/// Sends back what comes, respects back-pressure, and closes after the peer's end.
final class Echo: SocketHandler {
  private let outgoing = ByteQueue()
  private var hasEnded = false

  func socketReady(_ socket: Socket) {
    while outgoing.count < 65_536, !hasEnded {
      switch socket.read(into: socket.loop.readBuffer) {
      case .bytes(let count): outgoing.append(UnsafeRawBufferPointer(rebasing: socket.loop.readBuffer[..<count]))
      case .wouldBlock: return flush(socket)
      case .ended: hasEnded = true
      case .failed: return socket.close()
      }
    }
    flush(socket)
  }

  private func flush(_ socket: Socket) {
    if case .failed = socket.write(from: outgoing) { return socket.close() }
    if outgoing.isEmpty, hasEnded { return socket.close() }
    if outgoing.isEmpty, socket.isReadable { socket.requeue() }
  }
}

/// Sends `message`, then its end, and collects what comes back until the peer's end.
final class Sender: SocketHandler {
  private let outgoing = ByteQueue()
  private let received = ByteQueue()
  private let result: Once<[UInt8]?>
  private var hasShutDown = false

  /// `result` gets nil if the connection breaks.
  init(_ message: [UInt8], result: Once<[UInt8]?>) {
    outgoing.append(message)
    self.result = result
  }

  func socketReady(_ socket: Socket) {
    if case .failed = socket.write(from: outgoing) { return end(socket, nil) }
    if outgoing.isEmpty, !hasShutDown {
      hasShutDown = true
      socket.shutdownWrite()
    }
    while true {
      switch socket.read(into: socket.loop.readBuffer) {
      case .bytes(let count): received.append(UnsafeRawBufferPointer(rebasing: socket.loop.readBuffer[..<count]))
      case .wouldBlock: return
      case .ended: return end(socket, Array(received.bytes))
      case .failed: return end(socket, nil)
      }
    }
  }

  private func end(_ socket: Socket, _ value: [UInt8]?) {
    socket.close()
    result.happen(value)
  }
}

let loopback = SocketAddress(storage: .v4(0x7F00_0001, port: 0))

/// Dials from `loop` and gives the socket to `handler`, which is made there.
func dial(
  _ addresses: [SocketAddress], on loop: EventLoop, attemptDelay: Duration = Dialer.attemptDelay,
  _ handler: @escaping @Sendable (Socket) -> any SocketHandler
) async -> DialFault? {
  let outcome = Once<DialFault?>()
  loop.submit {
    _ = Dialer.dial(addresses, on: loop, attemptDelay: attemptDelay) { result in
      switch result {
      case .success(let socket):
        socket.handler = handler(socket)
        socket.requeue()
        outcome.happen(nil)
      case .failure(let fault): outcome.happen(fault)
      }
    }
  }
  return await outcome.value
}

/// A value that several threads change.
final class Shared<Value: Sendable>: Sendable {
  private let storage: Mutex<Value>

  init(_ value: Value) {
    storage = Mutex(value)
  }

  var value: Value { storage.withLock { $0 } }

  func change(_ body: (inout Value) -> Void) {
    storage.withLock { body(&$0) }
  }
}

/// For a job that plays a blocking call, on a thread of a work queue.
func usleepBriefly() {
  usleep(1_000)
}
