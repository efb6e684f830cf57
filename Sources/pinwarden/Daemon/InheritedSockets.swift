import Glibc

/// Listening sockets that systemd opened (sd_listen_fds(3)).
enum InheritedSockets {
  private static let firstDescriptor: Int32 = 3

  /// The descriptors by the names of their `FileDescriptorName=`; empty unless the variables are meant for this process.
  ///
  /// A name that several have is given to the first of them.
  static func descriptors(environment: [String: String], process: Int32 = getpid()) -> [String: Int32] {
    guard environment["LISTEN_PID"].flatMap({ Int32($0) }) == process,
      let count = environment["LISTEN_FDS"].flatMap({ Int32($0) }), (1...1024).contains(count)
    else { return [:] }
    let names = environment["LISTEN_FDNAMES"]?.split(separator: ":", omittingEmptySubsequences: false) ?? []
    var descriptors: [String: Int32] = [:]
    for index in 0..<count {
      let name = names.indices.contains(Int(index)) ? String(names[Int(index)]) : "unknown"
      if descriptors[name] == nil { descriptors[name] = firstDescriptor + index }
    }
    return descriptors
  }

  /// Takes them: no program that this one starts gets them too.
  static func take(environment: [String: String]) -> [String: Int32] {
    let descriptors = descriptors(environment: environment)
    for descriptor in descriptors.values { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { unsetenv(name) }
    return descriptors
  }
}
