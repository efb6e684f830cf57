import Glibc

/// A system call that failed, and why.
public struct SystemError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The value of `errno`.
  public let code: Int32
  /// The name of the call, such as "connect".
  public let call: String

  public init(code: Int32, call: String) {
    self.code = code
    self.call = call
  }

  /// The failure of `call` that this thread has just seen.
  static func last(_ call: String) -> SystemError {
    SystemError(code: errno, call: call)
  }

  /// What came did not keep to a protocol below the one that is spoken (EPROTO).
  public static func protocolFault(_ call: String) -> SystemError {
    SystemError(code: EPROTO, call: call)
  }

  /// For people: "connect: Connection refused".
  public var description: String {
    guard let text = strerror(code) else { return "\(call): error \(code)" }
    return "\(call): \(String(cString: text))"
  }
}
