import Glibc

/// The file of a Unix socket that this process has bound.
struct SocketFile: Sendable {
  let path: String
  private let device: UInt64
  private let inode: UInt64

  /// nil if there is no socket at `path`, as with the abstract namespace.
  init?(path: String) {
    guard !path.hasPrefix("@"), let status = Self.status(path) else { return nil }
    self.path = path
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
  }

  /// Removes the file if it is still the one that was bound, and not that of a successor.
  func remove() {
    guard let status = Self.status(path), UInt64(status.st_dev) == device, UInt64(status.st_ino) == inode else {
      return
    }
    unlink(path)
  }

  /// Whether `path` is a socket that nobody listens on any more.
  static func isStale(_ path: String) -> Bool {
    guard !path.hasPrefix("@"), status(path) != nil else { return false }
    let address = SocketAddress(unixPath: path)
    guard let probe = try? address.makeSocket() else { return false }
    defer { close(probe) }
    guard let result = try? address.withKernelAddress(for: "connect", { connect(probe, $0, $1) }) else { return false }
    return result != 0 && errno == ECONNREFUSED
  }

  private static func status(_ path: String) -> stat? {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return nil }
    return status
  }
}
