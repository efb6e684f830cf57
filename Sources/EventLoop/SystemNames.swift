import CLinux
import Glibc

/// The C library's own resolver, which blocks. It knows what c-ares does not: multicast DNS by nsswitch.conf.
enum SystemNames {
  /// Asks `getaddrinfo`. Never call it on a loop.
  static func addresses(of name: String) -> ResolveToken.Outcome {
    var hints = addrinfo()
    hints.ai_family = AF_UNSPEC
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    let status = getaddrinfo(name, nil, &hints, &list)
    guard status == 0 else {
      if clinux_is_no_address(status) != 0 { return .failure(.notFound) }
      return .failure(.failed(gai_strerror(status).map { String(cString: $0) } ?? "getaddrinfo error \(status)"))
    }
    defer { freeaddrinfo(list) }
    var addresses: [SocketAddress] = []
    var node = list
    while let current = node?.pointee {
      let bytes = UnsafeRawBufferPointer(start: current.ai_addr, count: Int(current.ai_addrlen))
      if let address = SocketAddress(kernel: bytes, length: bytes.count), !addresses.contains(address) {
        addresses.append(address)
      }
      node = current.ai_next
    }
    return addresses.isEmpty ? .failure(.notFound) : .success(addresses)
  }
}
