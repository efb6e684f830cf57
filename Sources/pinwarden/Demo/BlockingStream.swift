import Bytes
import EventLoop
import Glibc

/// A TCP connection for the thread that uses it: calls wait, at most ten seconds each.
final class BlockingStream {
  private static let longestAnswer = 1 << 20

  private var descriptor: Int32

  /// Connects to an IPv4 address with port.
  init(_ address: String) throws(DemoFault) {
    guard let target = SocketAddress.parse(address), let bytes = target.ipBytes, bytes.count == 4,
      let port = target.port
    else { throw DemoFault(text: "\(address) is no IPv4 address with port") }
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw Self.fault("socket") }
    var patience = timeval(tv_sec: 10, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(descriptor, SOL_SOCKET, option, &patience, socklen_t(MemoryLayout<timeval>.size))
    }
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_port = port.bigEndian
    withUnsafeMutableBytes(of: &name.sin_addr) { $0.copyBytes(from: bytes) }
    let result = withUnsafePointer(to: &name) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else {
      let fault = Self.fault("connect")
      close()
      throw fault
    }
  }

  deinit {
    close()
  }

  func close() {
    guard descriptor >= 0 else { return }
    Glibc.close(descriptor)
    descriptor = -1
  }

  func send(_ bytes: [UInt8]) throws(DemoFault) {
    let queue = ByteQueue()
    queue.append(bytes)
    try send(from: queue)
  }

  /// Empties the queue.
  func send(from queue: ByteQueue) throws(DemoFault) {
    while !queue.isEmpty {
      let count = Glibc.send(descriptor, queue.bytes.baseAddress, queue.count, Int32(MSG_NOSIGNAL))
      guard count > 0 || errno == EINTR else { throw Self.fault("send") }
      queue.consume(max(0, count))
    }
  }

  /// False at the end.
  func receive(into queue: ByteQueue) throws(DemoFault) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw Self.fault("recv") }
      queue.append(Array(buffer.prefix(count)))
      guard queue.count <= Self.longestAnswer else { throw DemoFault(text: "the answer is too long") }
      return count > 0
    }
  }

  /// Everything up to the end.
  func receiveAll() throws(DemoFault) -> [UInt8] {
    let queue = ByteQueue()
    while try receive(into: queue) {}
    return Array(queue.bytes)
  }

  /// Everything up to the end of a head. The other side says no more before it is spoken to.
  func receiveHead() throws(DemoFault) -> [UInt8] {
    let queue = ByteQueue()
    while !Array(queue.bytes.suffix(4)).elementsEqual("\r\n\r\n".utf8) {
      guard try receive(into: queue) else { break }
    }
    return Array(queue.bytes)
  }

  private static func fault(_ call: String) -> DemoFault {
    DemoFault(text: errno == EAGAIN ? "no answer within 10 s" : "\(call): \(String(cString: strerror(errno)))")
  }
}
