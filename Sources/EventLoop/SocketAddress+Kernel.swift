import CLinux
import Glibc

extension SocketAddress {
  /// AF_INET, AF_INET6 or AF_UNIX.
  var family: Int32 {
    switch storage {
    case .v4: return AF_INET
    case .v6: return AF_INET6
    case .unix: return AF_UNIX
    }
  }

  /// A new stream socket of this family: nonblocking, and closed on exec.
  func makeSocket() throws(SystemError) -> Int32 {
    let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    let descriptor = socket(family, type, 0)
    guard descriptor >= 0 else { throw .last("socket") }
    return descriptor
  }

  /// Calls `body` with the address as the kernel wants it.
  ///
  /// - Throws: ENAMETOOLONG, under the name `call`, for a Unix path that does not fit.
  func withKernelAddress<Result>(
    for call: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
  ) throws(SystemError) -> Result {
    var room = sockaddr_storage()
    guard let length = withUnsafeMutableBytes(of: &room, { write(to: $0) }) else {
      throw SystemError(code: ENAMETOOLONG, call: call)
    }
    return withUnsafePointer(to: &room) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
    }
  }

  /// Writes the address to zeroed `room`; nil if a Unix path does not fit.
  private func write(to room: UnsafeMutableRawBufferPointer) -> socklen_t? {
    switch storage {
    case .v4(let address, let port):
      var kernel = sockaddr_in()
      kernel.sin_family = sa_family_t(AF_INET)
      kernel.sin_port = port.bigEndian
      kernel.sin_addr.s_addr = address.bigEndian
      withUnsafeBytes(of: kernel) { room.copyMemory(from: $0) }
      return socklen_t(MemoryLayout<sockaddr_in>.size)
    case .v6(let high, let low, let port, let scope):
      var kernel = sockaddr_in6()
      kernel.sin6_family = sa_family_t(AF_INET6)
      kernel.sin6_port = port.bigEndian
      kernel.sin6_scope_id = scope
      withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { address in
        withUnsafeMutableBytes(of: &kernel.sin6_addr) { $0.copyMemory(from: address) }
      }
      withUnsafeBytes(of: kernel) { room.copyMemory(from: $0) }
      return socklen_t(MemoryLayout<sockaddr_in6>.size)
    case .unix(let path):
      var name = Array(path.utf8)
      let isAbstract = name.first == UInt8(ascii: "@")
      if isAbstract { name[0] = 0 }
      let start = Self.unixPathOffset
      // A path in the file system needs its terminating zero; an abstract name is as long as the length says.
      let length = name.count + (isAbstract ? 0 : 1)
      guard !name.isEmpty, length <= Self.unixPathCapacity else { return nil }
      room.storeBytes(of: sa_family_t(AF_UNIX), as: sa_family_t.self)
      UnsafeMutableRawBufferPointer(rebasing: room[start...]).copyBytes(from: name)
      return socklen_t(start + length)
    }
  }

  private static let unixPathOffset = MemoryLayout<sa_family_t>.size
  private static let unixPathCapacity = MemoryLayout<sockaddr_un>.size - MemoryLayout<sa_family_t>.size

  /// The address that the kernel wrote to the first `length` bytes of `room`; nil for a family that is not known here.
  init?(kernel room: UnsafeRawBufferPointer, length: Int) {
    let bytes = UnsafeRawBufferPointer(rebasing: room[..<min(length, room.count)])
    guard bytes.count >= MemoryLayout<sa_family_t>.size else { return nil }
    switch Int32(bytes.loadUnaligned(as: sa_family_t.self)) {
    case AF_INET:
      guard bytes.count >= MemoryLayout<sockaddr_in>.size else { return nil }
      let kernel = bytes.loadUnaligned(as: sockaddr_in.self)
      self.init(storage: .v4(UInt32(bigEndian: kernel.sin_addr.s_addr), port: UInt16(bigEndian: kernel.sin_port)))
    case AF_INET6:
      guard bytes.count >= MemoryLayout<sockaddr_in6>.size else { return nil }
      let kernel = bytes.loadUnaligned(as: sockaddr_in6.self)
      let address = withUnsafeBytes(of: kernel.sin6_addr) { Array($0) }
      self.init(ip: address, port: UInt16(bigEndian: kernel.sin6_port), scope: kernel.sin6_scope_id)
    case AF_UNIX:
      var path = Array(bytes.dropFirst(Self.unixPathOffset))
      if path.first == 0, path.count > 1, path[1] != 0 {
        path[0] = UInt8(ascii: "@")
      }
      self.init(unixPath: String(decoding: path.prefix { $0 != 0 }, as: UTF8.self))
    default:
      return nil
    }
  }

  /// What a call such as `getsockname` answers; nil if it fails.
  init?(from call: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32) {
    var room = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let result = withUnsafeMutablePointer(to: &room) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { call($0, &length) }
    }
    guard result >= 0 else { return nil }
    let known = withUnsafeBytes(of: &room) { SocketAddress(kernel: $0, length: Int(length)) }
    guard let known else { return nil }
    self = known
  }
}
