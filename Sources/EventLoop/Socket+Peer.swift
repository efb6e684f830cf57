import CLinux
import Glibc

extension Socket {
  /// What the kernel knows about an idle connection, without taking any byte.
  public enum PeekedState: Sendable {
    /// Connected and silent.
    case open
    /// Bytes are waiting.
    case readableData
    /// The peer has closed, or the connection is broken.
    case closed
  }

  /// Asks the kernel, for example before an idle pooled connection is used again.
  public func peekState() -> PeekedState {
    guard isOpen else { return .closed }
    var byte: UInt8 = 0
    while true {
      let count = recv(descriptor, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT))
      if count > 0 { return .readableData }
      if count == 0 { return .closed }
      switch errno {
      case EINTR: continue
      case EAGAIN: return .open
      default: return .closed
      }
    }
  }

  /// The other end. Asks the kernel each time; nil if the connection is gone.
  public var peer: SocketAddress? {
    guard isOpen else { return nil }
    return SocketAddress { getpeername(descriptor, $0, $1) }
  }

  /// Our end. Asks the kernel each time.
  public var local: SocketAddress? {
    guard isOpen else { return nil }
    return SocketAddress { getsockname(descriptor, $0, $1) }
  }

  /// Where the client of a redirected connection wanted to go (netfilter REDIRECT); nil if this one was not redirected.
  public func originalDestination() -> SocketAddress? {
    guard isOpen else { return nil }
    for family in [AF_INET, AF_INET6] {
      let address = SocketAddress { clinux_original_destination(descriptor, family, $0, $1) }
      if let address { return address }
    }
    return nil
  }

  /// Has the kernel probe a silent peer after `idle` and then every `interval`, and give the connection up after three
  /// probes without answer.
  public func keepAlive(after idle: Duration, every interval: Duration) {
    guard isOpen else { return }
    func seconds(_ duration: Duration) -> Int32 { Int32(min(max(duration.components.seconds, 1), 32_767)) }
    SocketOption.set(descriptor, SOL_SOCKET, SO_KEEPALIVE, 1)
    SocketOption.set(descriptor, Int32(IPPROTO_TCP), TCP_KEEPIDLE, seconds(idle))
    SocketOption.set(descriptor, Int32(IPPROTO_TCP), TCP_KEEPINTVL, seconds(interval))
    SocketOption.set(descriptor, Int32(IPPROTO_TCP), TCP_KEEPCNT, 3)
  }
}
