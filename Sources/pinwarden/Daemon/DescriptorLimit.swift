import Glibc

/// The number of files and sockets that the process may have open.
enum DescriptorLimit {
  /// Raises the soft limit, which is often 1024, as far as the hard one allows. Each connection takes up to two.
  static func raise() {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0, limit.rlim_cur < limit.rlim_max else {
      return
    }
    limit.rlim_cur = limit.rlim_max
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }
}
