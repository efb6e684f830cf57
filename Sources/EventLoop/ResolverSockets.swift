import CLinux

/// The descriptors of one c-ares channel in the loop's epoll set, level-triggered as c-ares expects. Confined to the
/// loop.
///
/// An object apart from the channel, because c-ares reports descriptors also while the channel is being destroyed.
final class ResolverSockets {
  private final class Watched: EventSource {
    let descriptor: Int32
    var key: UInt64 = 0
    unowned let sockets: ResolverSockets

    init(_ descriptor: Int32, _ sockets: ResolverSockets) {
      self.descriptor = descriptor
      self.sockets = sockets
    }

    func eventArrived(_ events: UInt32) {
      let broken = EPOLLHUP.rawValue | EPOLLERR.rawValue
      let isReadable = events & (EPOLLIN.rawValue | broken) != 0
      let isWritable = events & (EPOLLOUT.rawValue | broken) != 0
      sockets.channel?.process(readable: isReadable ? descriptor : -1, writable: isWritable ? descriptor : -1)
    }

    func loopStopped() {
      sockets.loopStopped(self)
    }
  }

  private let loop: EventLoop
  private var watched: [Int32: Watched] = [:]
  /// Set while the channel is open.
  weak var channel: ResolverChannel?

  init(loop: EventLoop) {
    self.loop = loop
  }

  /// c-ares says what it waits for on `descriptor`; neither means that it is about to close it.
  func watch(_ descriptor: Int32, readable: Bool, writable: Bool) {
    guard readable || writable else {
      guard let old = watched.removeValue(forKey: descriptor) else { return }
      loop.unwatch(descriptor)
      loop.unregister(old.key)
      return
    }
    let events = (readable ? EPOLLIN.rawValue : 0) | (writable ? EPOLLOUT.rawValue : 0)
    if let old = watched[descriptor] {
      loop.reregister(descriptor, events: events, key: old.key)
      return
    }
    let new = Watched(descriptor, self)
    // If this fails, the query ends by its timeout.
    guard let key = try? loop.register(descriptor, events: events, source: new) else { return }
    new.key = key
    watched[descriptor] = new
  }

  private func loopStopped(_ source: Watched) {
    watched[source.descriptor] = nil
    channel?.close()
  }
}
