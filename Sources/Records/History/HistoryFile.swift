import Database
import Glibc

/// The place of the history in a state directory, and who may write there.
///
/// One process writes. SQLite itself could bear several, but not that a file is set aside under another writer: at its end that one
/// would remove the new file's journal. The lock goes with the process, however it ends.
struct HistoryFile: ~Copyable {
  let path: String
  private let lock: Int32

  /// Makes the directory if there is none, and takes the lock.
  init(directory: String) throws(DatabaseFault) {
    let path = HistorySettings.path(in: directory)
    try Self.makeDirectory(directory)
    lock = try Self.lock("\(path).lock", of: path)
    self.path = path
  }

  deinit {
    close(lock)
  }

  /// Gives the file another name, in place of one that has it already, and with it the changes that are not written back yet.
  /// - Returns: the new name.
  func setAside() throws(DatabaseFault) -> String {
    let name = "\(path).damaged"
    unlink("\(name)-wal")
    guard rename(path, name) == 0 || errno == ENOENT else { throw DatabaseFault(system: errno, path: path) }
    rename("\(path)-wal", "\(name)-wal")
    unlink("\(path)-shm")
    return name
  }

  private static func lock(_ name: String, of path: String) throws(DatabaseFault) -> Int32 {
    let lock = open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard lock >= 0 else { throw DatabaseFault(system: errno, path: name) }
    guard flock(lock, LOCK_EX | LOCK_NB) != 0 else { return lock }
    let code = errno
    close(lock)
    guard code == EWOULDBLOCK else { throw DatabaseFault(system: code, path: name) }
    throw DatabaseFault(.busy, "\(path): another daemon writes its history there")
  }

  private static func makeDirectory(_ directory: String) throws(DatabaseFault) {
    var path = directory.hasPrefix("/") ? "" : "."
    for part in directory.split(separator: "/") {
      path += "/\(part)"
      guard mkdir(path, 0o700) != 0 else { continue }
      let code = errno
      guard access(path, F_OK) == 0 else { throw DatabaseFault(system: code, path: path) }
    }
  }
}

/// Which file has a name at present.
struct FileIdentity: Equatable {
  private let device: dev_t
  private let inode: ino_t

  /// nil: there is none.
  init?(_ path: String) {
    var facts = stat()
    guard stat(path, &facts) == 0 else { return nil }
    device = facts.st_dev
    inode = facts.st_ino
  }
}
