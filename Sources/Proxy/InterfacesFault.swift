import EventLoop

/// The addresses of this machine are not to be learnt, so nobody could be kept from them.
public struct InterfacesFault: Error, CustomStringConvertible {
  public let cause: SystemError

  public var description: String {
    "the addresses of this machine, which remote clients must not reach, cannot be read: \(cause)"
  }
}
