import CSQLite
import Glibc

extension Database {
  /// The connection. A file on a disk that takes no changes, where a reader cannot even make what it needs to watch the writer, is
  /// opened as one that nobody changes, unless changes wait beside it.
  static func open(_ path: String, _ access: Access, _ busyTimeout: Int32) throws(DatabaseFault) -> OpaquePointer {
    let mode = access == .readWrite ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY
    do throws(DatabaseFault) {
      return try open(name: path, path, mode, busyTimeout)
    } catch  where access == .readOnly && [.cannotOpen, .readOnly].contains(error.kind) {
      var facts = statvfs()
      guard statvfs(path, &facts) == 0, facts.f_flag & UInt(ST_RDONLY) != 0, Glibc.access("\(path)-wal", F_OK) != 0
      else {
        throw error
      }
      return try open(name: "file:\(escaped(path))?immutable=1", path, mode | SQLITE_OPEN_URI, busyTimeout)
    }
  }

  /// SQLite opens the file itself only when it is read, so that is done at once: what is wrong with it shows here.
  private static func open(
    name: String, _ path: String, _ mode: Int32, _ busyTimeout: Int32
  ) throws(DatabaseFault) -> OpaquePointer {
    var opened: OpaquePointer?
    var code = sqlite3_open_v2(name, &opened, mode | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
    sqlite3_busy_timeout(opened, busyTimeout)
    if code == SQLITE_OK { code = sqlite3_exec(opened, "PRAGMA schema_version", nil, nil, nil) }
    guard code == SQLITE_OK, let opened else {
      let fault = DatabaseFault(code: code, path: path, message: message(opened, code))
      sqlite3_close_v2(opened)
      throw fault
    }
    return opened
  }

  /// A path inside a URI (SQLite, "Uniform Resource Identifiers").
  private static func escaped(_ path: String) -> String {
    path.utf8.reduce(into: "") { text, byte in
      let isPlain = byte > 0x20 && byte < 0x7F && !"%?#\"".utf8.contains(byte)
      text += isPlain ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
  }

  /// Makes the file before SQLite does, since SQLite would make it as the umask lets; its companions get the mode that it has.
  ///
  /// A file that is there is never opened here: closing it again would take away the locks that this process holds on it.
  static func prepareFile(_ path: String) throws(DatabaseFault) {
    let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    if descriptor >= 0 {
      Glibc.close(descriptor)
      return
    }
    guard errno == EEXIST else { throw DatabaseFault(system: errno, path: path) }
    try restrict(path)
  }

  private static func restrict(_ path: String) throws(DatabaseFault) {
    var facts = stat()
    guard lstat(path, &facts) == 0 else { throw DatabaseFault(system: errno, path: path) }
    guard facts.st_mode & S_IFMT == S_IFREG else {
      throw DatabaseFault(.cannotOpen, "\(path): it is no ordinary file")
    }
    guard facts.st_mode & 0o077 != 0 else { return }
    guard chmod(path, 0o600) == 0 else { throw DatabaseFault(system: errno, path: path) }
  }
}
