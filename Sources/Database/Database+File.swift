import Glibc

extension Database {
  /// Makes the file before SQLite does, since SQLite would make it as the umask lets; its companions get the mode that it has.
  ///
  /// A file that is there is never opened here: closing it again would take away the locks that this process holds on it.
  static func prepareFile(_ path: String) throws(DatabaseFault) {
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
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
