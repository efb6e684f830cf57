import CLinux
import Glibc

extension SocketAddress {
  /// The addresses of this machine's interfaces, with port 0. It throws when they cannot be read, as when no descriptor is left:
  /// an empty list would say that there are none.
  public static func ofThisMachine() throws(SystemError) -> [SocketAddress] {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&first) == 0 else { throw .last("getifaddrs") }
    defer { freeifaddrs(first) }
    var found: [SocketAddress] = []
    var next = first
    while let entry = next?.pointee {
      next = entry.ifa_next
      guard let address = entry.ifa_addr else { continue }
      let length =
        Int32(address.pointee.sa_family) == AF_INET6
        ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size
      guard [AF_INET, AF_INET6].contains(Int32(address.pointee.sa_family)),
        let known = SocketAddress(kernel: UnsafeRawBufferPointer(start: address, count: length), length: length)
      else { continue }
      found.append(known)
    }
    return found
  }
}

extension SystemError {
  /// The user may not do this (EACCES, EPERM).
  public var isPermission: Bool { code == EACCES || code == EPERM }
}
