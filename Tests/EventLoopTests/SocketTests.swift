import Bytes
import Glibc
import Testing

@testable import EventLoop

@Suite("Socket", .timeLimit(.minutes(1)))
struct SocketTests {
  /// A listener on two loops that gives each connection to what `handler` makes.
  private func serve(
    _ loops: [EventLoop], _ handler: @escaping @Sendable (Socket) -> any SocketHandler
  ) throws -> Listener {
    let listener = try Listener(address: loopback)
    listener.start(on: loops) { descriptor, _, loop in
      guard let socket = try? Socket(adopting: descriptor, on: loop) else { return }
      socket.handler = handler(socket)
    }
    return listener
  }

  @Test("300 connections echo over two loops, and both loops get their share")
  func echo() async throws {
    try await withLoops(2) { loops in
      let counts = Shared([String: Int]())
      let listener = try serve(loops) { socket in
        let name = socket.loop.name
        counts.change { $0[name, default: 0] += 1 }
        return Echo()
      }
      let address = listener.address
      let results = await withTaskGroup(of: Bool.self) { group in
        for number in 0..<300 {
          group.addTask {
            let message = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: number * 997 % 20_000)
            let result = Once<[UInt8]?>()
            let fault = await dial([address], on: loops[number % 2]) { _ in Sender(message, result: result) }
            guard fault == nil else { return false }
            return await result.value == message
          }
        }
        return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
      }
      #expect(results == 300)
      #expect(counts.value.values.reduce(0, +) == 300)
      #expect(counts.value.count == 2, "\(counts.value)")
      listener.close()
    }
  }

  @Test("8 MiB pass in both directions through back-pressure")
  func bulk() async throws {
    try await withLoops(2) { loops in
      let listener = try serve(loops) { _ in Echo() }
      let block = (0..<8_192).map { UInt8(truncatingIfNeeded: $0 ^ ($0 >> 8)) }
      var bytes: [UInt8] = []
      for _ in 0..<1_024 { bytes += block }
      let message = bytes
      let result = Once<[UInt8]?>()
      // The sender puts all of it on its queue, and reads while it writes.
      let fault = await dial([listener.address], on: loops[1]) { _ in Sender(message, result: result) }
      #expect(fault == nil)
      let isSame = await result.value == message
      #expect(isSame)
      listener.close()
    }
  }

  @Test("the peer's end leaves our direction open")
  func halfClose() async throws {
    try await withLoops(1) { loops in
      let listener = try serve(loops) { _ in
        Handler { socket in
          while true {
            switch socket.read(into: socket.loop.readBuffer) {
            case .bytes: continue
            case .wouldBlock: return
            case .ended:
              #expect(socket.isHungUp && !socket.isBroken)
              #expect(socket.read(into: socket.loop.readBuffer) == .ended)
              Array("late answer".utf8).withUnsafeBytes { _ = socket.write($0) }
              return socket.close()
            case .failed: return socket.close()
            }
          }
        }
      }
      let result = Once<[UInt8]?>()
      _ = await dial([listener.address], on: loops[0]) { _ in Sender([1, 2, 3], result: result) }
      #expect(await result.value == Array("late answer".utf8))
      listener.close()
    }
  }

  @Test("a reset reaches the other end as a failure, also while it does not read")
  func reset() async throws {
    try await withLoops(1) { loops in
      let failed = Once<Bool>()
      let listener = try serve(loops) { _ in
        Handler { socket in
          guard socket.isHungUp else { return }
          #expect(socket.isBroken)
          if case .failed(let error) = socket.read(into: socket.loop.readBuffer) {
            failed.happen(error.code == ECONNRESET)
          } else {
            failed.happen(false)
          }
          socket.close()
        }
      }
      _ = await dial([listener.address], on: loops[0]) { _ in Handler { $0.reset() } }
      #expect(await failed.value)
      listener.close()
    }
  }

  @Test("a requeued socket and others take turns")
  func requeue() async throws {
    try await withLoops(1) { loops in
      let order = Shared<[String]>([])
      let done = Once<Bool>()
      let loop = loops[0]
      let listener = try serve(loops) { _ in Handler { _ in } }
      for name in ["a", "b"] {
        let fault = await dial([listener.address], on: loop) { _ in
          var rounds = 0
          return Handler { socket in
            rounds += 1
            guard rounds <= 5 else {
              if name == "b", rounds == 6 { done.happen(true) }
              return
            }
            order.change { $0.append(name) }
            socket.requeue()
            socket.requeue()
          }
        }
        #expect(fault == nil)
      }
      _ = await done.value
      #expect(order.value.count { $0 == "a" } == 5)
      #expect(order.value.count { $0 == "b" } == 5)
      listener.close()
    }
  }

  @Test("closing another socket inside a callback drops that one's event of the same batch")
  func closeOther() async throws {
    try await withLoops(1) { loops in
      let loop = loops[0]
      let calls = Shared(0)
      await on(loop) {
        var pairs: [(Socket, Int32)] = []
        for _ in 0..<2 {
          var ends: [Int32] = [-1, -1]
          #expect(socketpair(AF_UNIX, Int32(1), 0, &ends) == 0)
          guard let socket = try? Socket(adopting: ends[0], on: loop) else { continue }
          pairs.append((socket, ends[1]))
        }
        let sockets = pairs.map(\.0)
        for socket in sockets {
          socket.handler = Handler { _ in
            calls.change { $0 += 1 }
            for socket in sockets { socket.close() }
          }
        }
        for (_, end) in pairs {
          #expect(write(end, "x", 1) == 1)
          close(end)
        }
      }
      await on(loop) {}
      await on(loop) {}
      #expect(calls.value == 1)
      #expect(loop.load == 0)
    }
  }

  @Test("a closed socket answers with an error and does nothing")
  func closed() async throws {
    try await withLoops(1) { loops in
      let loop = loops[0]
      await on(loop) {
        var ends: [Int32] = [-1, -1]
        #expect(socketpair(AF_UNIX, Int32(1), 0, &ends) == 0)
        guard let socket = try? Socket(adopting: ends[0], on: loop) else { return }
        #expect(socket.peekState() == .open)
        #expect(write(ends[1], "x", 1) == 1)
        #expect(socket.peekState() == .readableData)
        socket.close()
        socket.close()
        socket.reset()
        socket.requeue()
        #expect(!socket.isOpen)
        #expect(socket.peekState() == .closed)
        #expect(socket.peer == nil)
        #expect(socket.originalDestination() == nil)
        #expect(socket.read(into: loop.readBuffer) == .failed(SystemError(code: EBADF, call: "recv")))
        close(ends[1])
      }
    }
  }

  @Test("sockets that are open when the loop ends are closed")
  func loopEnd() async throws {
    let loop = try EventLoop(name: "end")
    loop.start()
    let peer = await on(loop) { () -> Int32 in
      var ends: [Int32] = [-1, -1]
      guard socketpair(AF_UNIX, Int32(1), 0, &ends) == 0 else { return -1 }
      let socket = try? Socket(adopting: ends[0], on: loop)
      socket?.handler = Handler { _ in }
      return ends[1]
    }
    await stopped(loop)
    var byte: UInt8 = 0
    #expect(read(peer, &byte, 1) == 0)
    close(peer)
  }
}
