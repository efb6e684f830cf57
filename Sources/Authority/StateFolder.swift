import Glibc
import TLS

/// The state directory, where the daemon keeps what it makes: keys, secrets and settings of its own.
///
/// Files are published whole under their names or not at all: each is written beside its place, forced to disk, and linked or moved
/// there. So a crash leaves the file of before or the new one, and of two processes that start at once one is the first.
public struct StateFolder: Sendable {
  public let directory: String

  public init(directory: String) {
    self.directory = directory
  }

  /// The path of a file in it.
  public func path(_ name: String) -> String { "\(directory)/\(name)" }

  /// Makes the directory, and those above it that are missing, for the owner alone.
  public func makeDirectory() throws(AuthorityFault) {
    var path = directory.hasPrefix("/") ? "" : "."
    for part in directory.split(separator: "/") {
      path += "/\(part)"
      guard mkdir(path, 0o700) != 0 else { continue }
      // On a read-only file system an existing folder need not say EEXIST.
      let fault = Self.fault("mkdir", path)
      guard access(path, F_OK) == 0 else { throw fault }
    }
  }

  /// The bytes of a file and its permission bits; nil when it does not exist.
  public func read(_ path: String) throws(AuthorityFault) -> (bytes: [UInt8], mode: mode_t)? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw Self.fault("open", path)
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw Self.fault("stat", path) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .file(path: path, .unreadable("it is no regular file")) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw Self.fault("read", path) }
      if count == 0 { return (bytes, status.st_mode & 0o7777) }
      bytes.append(contentsOf: buffer.prefix(count))
      guard bytes.count <= 1 << 20 else { throw .file(path: path, .unreadable("it is larger than 1 MiB")) }
    }
  }

  /// Puts a new file in place unless its name is taken; false then.
  public func publish(_ bytes: [UInt8], at path: String, mode: mode_t) throws(AuthorityFault) -> Bool {
    let draft = try writeBeside(path, bytes, mode)
    defer { unlink(draft) }
    guard link(draft, path) == 0 else {
      if errno == EEXIST { return false }
      throw Self.fault("link", path)
    }
    syncDirectory()
    return true
  }

  /// Puts a file in place of whatever has its name.
  public func replace(_ path: String, with bytes: [UInt8], mode: mode_t) throws(AuthorityFault) {
    let draft = try writeBeside(path, bytes, mode)
    guard rename(draft, path) == 0 else {
      let fault = Self.fault("rename", path)
      unlink(draft)
      throw fault
    }
    syncDirectory()
  }

  /// Gives a file a second name; false when that is taken.
  func keep(_ path: String, as name: String) throws(AuthorityFault) -> Bool {
    guard link(path, "\(directory)/\(name)") == 0 else {
      if errno == EEXIST { return false }
      throw Self.fault("link", "\(directory)/\(name)")
    }
    return true
  }

  public func remove(_ path: String) throws(AuthorityFault) {
    guard unlink(path) == 0 || errno == ENOENT else { throw Self.fault("unlink", path) }
    syncDirectory()
  }

  /// A whole copy on disk under a name of its own; the caller removes or renames it.
  private func writeBeside(_ path: String, _ bytes: [UInt8], _ mode: mode_t) throws(AuthorityFault) -> String {
    let unique = RandomBytes.make(8).map { CertificateAuthority.hexadecimal($0) }.joined()
    let draft = "\(path).\(unique).new"
    // Readable by the owner alone until it is complete, whatever the umask.
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Self.fault("open", draft) }
    let fault = write(bytes, to: descriptor, draft, mode)
    close(descriptor)
    if let fault {
      unlink(draft)
      throw fault
    }
    return draft
  }

  private func write(_ bytes: [UInt8], to descriptor: Int32, _ path: String, _ mode: mode_t) -> AuthorityFault? {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return Self.fault("write", path) }
      rest = rest.dropFirst(count)
    }
    guard fchmod(descriptor, mode) == 0 else { return Self.fault("chmod", path) }
    return fsync(descriptor) == 0 ? nil : Self.fault("fsync", path)
  }

  /// Makes the names themselves last; file systems that cannot do it are left at that.
  private func syncDirectory() {
    let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }

  private static func fault(_ call: String, _ path: String) -> AuthorityFault {
    let code = errno
    return .system(call: call, path: path, code: code, reason: String(cString: strerror(code)))
  }
}
