import Glibc

/// Where a stream socket can be reached: an IP address with a port, or the path of a Unix socket.
public struct SocketAddress: Hashable, Sendable, CustomStringConvertible {
  /// Numbers in host byte order.
  enum Storage: Hashable, Sendable {
    case v4(UInt32, port: UInt16)
    case v6(UInt64, UInt64, port: UInt16, scope: UInt32)
    case unix(String)
  }

  let storage: Storage

  init(storage: Storage) {
    self.storage = storage
  }

  /// An address of 4 or 16 bytes in network order; nil for any other count. IPv4-mapped IPv6 becomes IPv4.
  ///
  /// - Parameter scope: the index of the interface that a link-local IPv6 address belongs to, else 0.
  public init?(ip bytes: [UInt8], port: UInt16, scope: UInt32 = 0) {
    func number(_ range: Range<Int>) -> UInt64 {
      bytes[range].reduce(0) { $0 << 8 | UInt64($1) }
    }
    switch bytes.count {
    case 4:
      storage = .v4(UInt32(number(0..<4)), port: port)
    case 16:
      storage = Self.unmapped(number(0..<8), number(8..<16), port: port, scope: scope)
    default:
      return nil
    }
  }

  /// A Unix socket in the file system, or in the abstract namespace if the path begins with "@".
  public init(unixPath: String) {
    storage = .unix(unixPath)
  }

  /// The address in network order, 4 or 16 bytes; nil for a Unix socket.
  public var ipBytes: [UInt8]? {
    switch storage {
    case .v4(let address, _):
      return withUnsafeBytes(of: address.bigEndian) { Array($0) }
    case .v6(let high, let low, _, _):
      return withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { Array($0) }
    case .unix:
      return nil
    }
  }

  /// nil for a Unix socket.
  public var port: UInt16? {
    switch storage {
    case .v4(_, let port), .v6(_, _, let port, _): return port
    case .unix: return nil
    }
  }

  /// nil unless this is a Unix socket.
  public var unixPath: String? {
    guard case .unix(let path) = storage else { return nil }
    return path
  }

  /// The same address with another port; a Unix socket has none and stays as it is.
  public func with(port: UInt16) -> SocketAddress {
    switch storage {
    case .v4(let address, _): return SocketAddress(storage: .v4(address, port: port))
    case .v6(let high, let low, _, let scope):
      return SocketAddress(storage: .v6(high, low, port: port, scope: scope))
    case .unix: return self
    }
  }

  /// "1.2.3.4:80", "[::1]:80" or "unix:/run/x.sock"; `parse` reads it back.
  public var description: String {
    switch storage {
    case .v4(_, let port): return "\(ipText):\(port)"
    case .v6(_, _, let port, _): return "[\(ipText)]:\(port)"
    case .unix(let path): return "unix:\(path)"
    }
  }

  /// The address alone, without port and brackets; empty for a Unix socket.
  public var ipText: String {
    guard let bytes = ipBytes else { return "" }
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN) + 1)
    let family = bytes.count == 4 ? AF_INET : AF_INET6
    guard inet_ntop(family, bytes, &text, socklen_t(text.count)) != nil else { return "" }
    let address = text.withUnsafeBufferPointer { buffer in
      String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
    guard case .v6(_, _, _, let scope) = storage, scope != 0 else { return address }
    return "\(address)%\(scope)"
  }

  /// IPv4-mapped addresses (RFC 4291 2.5.5.2) are the same peer as their IPv4 form.
  private static func unmapped(_ high: UInt64, _ low: UInt64, port: UInt16, scope: UInt32) -> Storage {
    if high == 0, low >> 32 == 0xFFFF { return .v4(UInt32(truncatingIfNeeded: low), port: port) }
    return .v6(high, low, port: port, scope: scope)
  }
}
