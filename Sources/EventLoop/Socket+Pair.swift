import CLinux
import Glibc

extension Socket {
  /// Two stream sockets that are connected to each other within this process, nonblocking; the caller owns both descriptors.
  public static func makePair() throws(SystemError) -> (one: Int32, other: Int32) {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw .last("socketpair") }
    return (ends[0], ends[1])
  }

  /// Closes a descriptor that no socket has taken over.
  public static func close(descriptor: Int32) {
    Glibc.close(descriptor)
  }
}
