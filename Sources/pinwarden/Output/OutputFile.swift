import Glibc

/// Files that a command makes.
enum OutputFile {
  /// Makes a file for the owner alone, whole or not at all. One that exists is left as it is, and so is the folder when writing fails.
  static func create(_ path: String, _ bytes: [UInt8]) throws(CommandFault) {
    var facts = stat()
    guard lstat(path, &facts) != 0 else { throw fault(path, EEXIST) }
    let draft = "\(path).\(getpid()).new"
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw fault(path, errno) }
    var code = write(bytes, to: descriptor)
    close(descriptor)
    // Unlike a rename, a link never takes the place of what is there.
    if code == 0, link(draft, path) != 0 { code = errno }
    let lacksLinks = code == EPERM || code == ENOTSUP || code == EMLINK
    unlink(draft)
    if lacksLinks { return try createInPlace(path, bytes) }
    guard code == 0 else { throw fault(path, code) }
  }

  /// Where the file system has no links.
  private static func createInPlace(_ path: String, _ bytes: [UInt8]) throws(CommandFault) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw fault(path, errno) }
    let code = write(bytes, to: descriptor)
    close(descriptor)
    guard code == 0 else {
      unlink(path)
      throw fault(path, code)
    }
  }

  /// The errno of the failure; 0 when everything is on disk.
  private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        return errno
      }
    }
    // Pipes and the like cannot be forced to disk.
    return fsync(descriptor) == 0 || errno == EINVAL ? 0 : errno
  }

  static func fault(_ path: String, _ code: Int32) -> CommandFault {
    let isPermission = code == EACCES || code == EPERM
    return .failed(
      isPermission ? .noPermission : .cannotCreate, "cannot create \(path): \(String(cString: strerror(code)))")
  }
}
