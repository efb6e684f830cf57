import EventLoop
import Foundation
import Records
import Synchronization

/// What the tests share.
enum Kit {
  /// Clients and origins of all tests live on it.
  static let loop: EventLoop = {
    guard let loop = try? EventLoop.start(count: 1, name: "tests").first else {
      preconditionFailure("no descriptors are left for a loop")
    }
    return loop
  }()

  static let loopback: SocketAddress = {
    guard let address = SocketAddress.parse("127.0.0.1:0") else { preconditionFailure("127.0.0.1:0 is an address") }
    return address
  }()

  /// Asks again and again until there is an answer; nil: it took too long.
  static func before<T: Sendable>(_ limit: Duration, _ ask: @Sendable () async -> T?) async -> T? {
    let deadline = ContinuousClock.now + limit
    while true {
      if let answer = await ask() { return answer }
      guard ContinuousClock.now < deadline else { return nil }
      try? await Task.sleep(for: .milliseconds(3))
    }
  }

  /// So many bytes, in which a piece that is lost or moved is seen. Made of blocks, since a loop over each byte would hold up the
  /// threads of the other tests.
  static func bytes(_ count: Int) -> [UInt8] {
    let block = (0..<65_537).map { UInt8(truncatingIfNeeded: $0 &* 7 ^ $0 >> 8) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    while bytes.count < count { bytes += block.prefix(count - bytes.count) }
    return bytes
  }

  /// Takes over a connected descriptor.
  static func adopt(_ descriptor: Int32) async throws -> Peer {
    let result: Result<LoopBound<Wire>, SystemError> = await withCheckedContinuation { continuation in
      loop.submit {
        do throws(SystemError) {
          let socket = try Socket(adopting: descriptor, on: loop)
          continuation.resume(returning: .success(LoopBound(Wire(socket), on: loop)))
        } catch {
          continuation.resume(returning: .failure(error))
        }
      }
    }
    return Peer(try result.get())
  }

  /// Whether nobody listens at an address.
  static func isClosed(_ address: String) async -> Bool {
    guard let peer = try? await connect(address) else { return true }
    await peer.reset()
    return false
  }

  /// Connects to `ip:port`, or to a Unix socket.
  static func connect(_ address: String) async throws -> Peer {
    guard let parsed = SocketAddress.parse(address) else { throw CocoaError(.formatting) }
    let result: Result<LoopBound<Wire>, DialFault> = await withCheckedContinuation { continuation in
      loop.submit {
        Dialer.dial([parsed], on: loop) { outcome in
          continuation.resume(returning: outcome.map { LoopBound(Wire($0), on: loop) })
        }
      }
    }
    return Peer(try result.get())
  }
}

/// A site for `pinwarden.internal` that tells what it was asked.
struct EchoingSite: InternalSite {
  func certificateRefused(client: String, lane: String, detail: String) {}

  func answer(_ request: InternalRequest) -> InternalAnswer {
    guard request.path == "/ca.pem" else {
      return InternalAnswer(
        status: 200, contentType: "text/plain", body: Array("\(request.path) by \(request.proxy)".utf8))
    }
    return InternalAnswer(
      status: 200, contentType: "application/x-pem-file", fileName: "ca.pem", body: Array("PEM".utf8))
  }
}

/// Bounds how many proxies run at once, since each has a thread.
actor Gate {
  static let proxies = Gate(12)

  private var free: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(_ count: Int) {
    free = count
  }

  func enter() async {
    if free > 0 {
      free -= 1
      return
    }
    await withCheckedContinuation { waiting.append($0) }
  }

  func leave() {
    if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
  }
}
