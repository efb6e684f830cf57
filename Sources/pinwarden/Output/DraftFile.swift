import Glibc

/// A file that is written piece by piece and has its name only when it is complete. Whatever had the name before is replaced then.
///
/// Devices and pipes are written to as they are: a name is not taken away from them.
struct DraftFile: ~Copyable {
  private let path: String
  /// nil: it is written in place.
  private let draft: String?
  private let descriptor: Int32

  /// `-` is standard output.
  init(_ path: String) throws(CommandFault) {
    self.path = path
    guard path != "-" else {
      draft = nil
      descriptor = dup(STDOUT_FILENO)
      return
    }
    var facts = stat()
    let isSpecial = stat(path, &facts) == 0 && facts.st_mode & S_IFMT != S_IFREG
    draft = isSpecial ? nil : "\(path).\(getpid()).new"
    descriptor = open(draft ?? path, O_WRONLY | O_CLOEXEC | (isSpecial ? 0 : O_CREAT | O_EXCL), 0o600)
    guard descriptor < 0 else { return }
    throw OutputFile.fault(path, errno)
  }

  deinit {
    close(descriptor)
    // Nothing is there any more once it has been put in place.
    if let draft { unlink(draft) }
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws(CommandFault) {
    let code = Output.write(bytes, to: descriptor)
    guard code == 0 else { throw OutputFile.fault(path, code) }
  }

  /// Forces it to disk and gives it its name.
  consuming func publish() throws(CommandFault) {
    guard let draft else { return }
    guard fsync(descriptor) == 0, rename(draft, path) == 0 else { throw OutputFile.fault(path, errno) }
  }
}
