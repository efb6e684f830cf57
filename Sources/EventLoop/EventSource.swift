/// Something that is registered with a loop's epoll set. Confined to that loop, whose slot table owns it until it is
/// unregistered.
protocol EventSource: AnyObject {
  /// The kernel reports `events`, a set of EPOLL bits.
  func eventArrived(_ events: UInt32)

  /// The loop ends; the source is unregistered already. Release descriptors and let go of handlers.
  func loopStopped()
}
