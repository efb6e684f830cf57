import CLinux
import Glibc

extension Listener {
  /// How a listening socket differs from the usual one.
  public struct Traits: Sendable {
    /// Whose clients an IPv6 listener takes.
    public enum Families: Sendable {
      case own
      /// IPv4 clients too, where it listens on the unspecified address. Their addresses are told as IPv4 ones.
      case both
    }

    /// Which connections reach it.
    public enum Destinations: Sendable {
      case own
      /// Those to any address that the system routes here (TPROXY). Needs CAP_NET_ADMIN or CAP_NET_RAW; without it the listener
      /// is as any other.
      case foreign
    }

    public var families = Families.own
    public var destinations = Destinations.own
    /// The permissions of a Unix socket's file; nil: what the process's umask leaves.
    public var fileMode: UInt32?

    public init() {}

    /// - Returns: whether it takes foreign destinations.
    func apply(to descriptor: Int32, _ address: SocketAddress) -> Bool {
      if address.family == AF_INET6 {
        let isBoth = families == .both && address.ipBytes?.allSatisfy { $0 == 0 } == true
        SocketOption.set(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, isBoth ? 0 : 1)
      }
      // The kernel gives the file these permissions, less the umask, when it makes it: at no time has it more.
      if address.unixPath != nil, let fileMode { fchmod(descriptor, fileMode) }
      guard destinations == .foreign, address.unixPath == nil else { return false }
      return address.family == AF_INET6
        ? SocketOption.set(descriptor, Int32(IPPROTO_IPV6), IPV6_TRANSPARENT, 1)
        : SocketOption.set(descriptor, Int32(IPPROTO_IP), IP_TRANSPARENT, 1)
    }

    /// Gives back what the umask took away.
    func apply(toFile path: String) {
      guard let fileMode, !path.hasPrefix("@") else { return }
      chmod(path, fileMode)
    }
  }
}
