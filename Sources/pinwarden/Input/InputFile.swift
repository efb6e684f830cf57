import Glibc

/// Files that a command line names.
enum InputFile {
  /// The whole content; a file above the limit, a folder or none at all ends the command with exit code 65.
  static func read(_ path: String, limit: Int = 16 << 20) throws(CommandFault) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw fault(path) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw fault(path) }
      if count == 0 { return bytes }
      bytes.append(contentsOf: buffer.prefix(count))
      guard bytes.count <= limit else { throw .failed(.unreadable, "\(path) is larger than \(limit >> 20) MiB") }
    }
  }

  private static func fault(_ path: String) -> CommandFault {
    .failed(.unreadable, "cannot read \(path): \(String(cString: strerror(errno)))")
  }
}
