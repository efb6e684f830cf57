/// Why a message was refused. The connection that it came on cannot be read any further.
public struct HTTPFault: Error, Sendable, Equatable {
  public enum Kind: Sendable, Equatable {
    /// Against the grammar, or ambiguous.
    case malformed
    /// Longer than a limit.
    case tooLarge
    /// Lawful, but not offered: a coding, a version, a method of absurd length.
    case unsupported
    /// The peer ended the connection inside the message.
    case incomplete
  }

  public let kind: Kind
  /// What the client is to be answered: 400, 431, 501 or 505 for its own request, 502 for a response.
  public let status: Int
  /// A sentence for people.
  public let reason: String

  public init(kind: Kind, status: Int, reason: String) {
    self.kind = kind
    self.status = status
    self.reason = reason
  }

  static func malformed(_ reason: String) -> HTTPFault {
    HTTPFault(kind: .malformed, status: 400, reason: reason)
  }

  static func tooLarge(_ reason: String) -> HTTPFault {
    HTTPFault(kind: .tooLarge, status: 431, reason: reason)
  }

  static func incomplete(_ reason: String) -> HTTPFault {
    HTTPFault(kind: .incomplete, status: 400, reason: reason)
  }

  /// The same fault in a response: the client did nothing wrong.
  var inResponse: HTTPFault {
    HTTPFault(kind: kind, status: 502, reason: reason)
  }
}
