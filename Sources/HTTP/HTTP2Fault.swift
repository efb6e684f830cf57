/// Why an HTTP/2 connection cannot go on, or why a message could not be put on it.
public struct HTTP2Fault: Error, Sendable, Equatable {
  public enum Kind: Sendable, Equatable {
    /// The peer broke the protocol in a way that concerns the whole connection.
    case violation
    /// The peer made more work than a limit allows.
    case flood
    /// No new stream can be opened: the connection drains, is closed, has too many streams, or lacks what the request needs.
    case unavailable
    /// The message cannot be expressed in HTTP/2.
    case unwritable
    /// The library failed, for want of memory.
    case library
  }

  public let kind: Kind
  /// What GOAWAY tells the peer.
  public let code: HTTP2ErrorCode
  /// A sentence for people.
  public let reason: String

  public init(kind: Kind, code: HTTP2ErrorCode, reason: String) {
    self.kind = kind
    self.code = code
    self.reason = reason
  }

  static func violation(_ reason: String) -> HTTP2Fault {
    HTTP2Fault(kind: .violation, code: .protocolError, reason: reason)
  }

  static func flood(_ reason: String) -> HTTP2Fault {
    HTTP2Fault(kind: .flood, code: .enhanceYourCalm, reason: reason)
  }

  static func unavailable(_ reason: String) -> HTTP2Fault {
    HTTP2Fault(kind: .unavailable, code: .refusedStream, reason: reason)
  }

  static func unwritable(_ reason: String) -> HTTP2Fault {
    HTTP2Fault(kind: .unwritable, code: .internalError, reason: reason)
  }

  static let noMemory = HTTP2Fault(
    kind: .library, code: .internalError, reason: "There is no memory for the connection.")
}
