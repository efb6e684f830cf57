import Bytes
import Glibc
import Records

/// Standard output and standard error of a command.
enum Output {
  /// Writes to standard output, all of it.
  static func write(_ text: String) throws(CommandFault) {
    var text = text
    let code = text.withUTF8 { write(UnsafeRawBufferPointer($0), to: STDOUT_FILENO) }
    try check(code)
  }

  static func write(_ bytes: [UInt8]) throws(CommandFault) {
    try check(bytes.withUnsafeBytes { write($0, to: STDOUT_FILENO) })
  }

  /// Writes one JSON document and a line feed to standard output.
  static func writeJSON(_ body: (inout JSONText) -> Void) throws(CommandFault) {
    let out = ByteQueue()
    var json = JSONText(into: out)
    body(&json)
    out.append(UInt8(ascii: "\n"))
    try check(write(out.bytes, to: STDOUT_FILENO))
  }

  /// Writes to standard error; there is nobody to tell if that fails.
  static func complain(_ text: String) {
    var text = text
    _ = text.withUTF8 { write(UnsafeRawBufferPointer($0), to: STDERR_FILENO) }
  }

  /// The errno of the failure; 0 when everything is written.
  static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32 {
    var rest = bytes
    while !rest.isEmpty {
      let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
      if count > 0 {
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
      } else if errno == EAGAIN {
        // Another program that shares the terminal or pipe may have made it nonblocking.
        var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&waiting, 1, -1)
      } else if errno != EINTR {
        return errno
      }
    }
    return 0
  }

  private static func check(_ code: Int32) throws(CommandFault) {
    guard code != 0 else { return }
    throw .failed(.cannotCreate, "cannot write to standard output: \(String(cString: strerror(code)))")
  }
}
