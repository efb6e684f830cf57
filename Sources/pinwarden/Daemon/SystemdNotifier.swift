import Glibc

/// Tells systemd how the service stands (sd_notify(3)): one datagram to the socket that `NOTIFY_SOCKET` names, without libsystemd.
struct SystemdNotifier: Sendable {
  private let path: String?

  init(environment: [String: String]) {
    path = environment["NOTIFY_SOCKET"].flatMap { $0.hasPrefix("/") || $0.hasPrefix("@") ? $0 : nil }
  }

  func ready() { send("READY=1") }

  /// `Type=notify-reload` wants the moment too.
  func reloading() {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    send("RELOADING=1\nMONOTONIC_USEC=\(Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000)")
  }

  func stopping() { send("STOPPING=1") }

  /// Without systemd, or if it does not listen, nothing happens.
  private func send(_ message: String) {
    guard let path, var address = Self.address(path) else { return }
    let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    // The length counts for abstract names, which have no NUL at their end.
    let length = MemoryLayout<sa_family_t>.size + path.utf8.count + (path.hasPrefix("/") ? 1 : 0)
    let bytes = Array(message.utf8)
    withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = sendto(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL), $0, socklen_t(length))
      }
    }
  }

  private static func address(_ path: String) -> sockaddr_un? {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var name = Array(path.utf8)
    if name.first == UInt8(ascii: "@") { name[0] = 0 }
    return withUnsafeMutableBytes(of: &address.sun_path) { room in
      guard name.count < room.count else { return false }
      room.copyBytes(from: name)
      return true
    } ? address : nil
  }
}
