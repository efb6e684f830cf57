import Glibc

/// `getsockopt` and `setsockopt` for options that are one integer.
enum SocketOption {
  /// Returns false if the kernel refuses, with the reason in `errno`.
  @discardableResult
  static func set(_ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: Int32) -> Bool {
    var value = value
    return setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size)) == 0
  }

  /// nil if the kernel refuses.
  static func get(_ descriptor: Int32, _ level: Int32, _ option: Int32) -> Int32? {
    var value: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    return getsockopt(descriptor, level, option, &value, &length) == 0 ? value : nil
  }
}
