import Records

/// The members that this instance adds to `Via`: the version in which the message was received, and its name (RFC 9110, section
/// 7.6.3).
struct ViaMembers: Sendable {
  private let http10: String
  private let http11: String
  private let http2: String

  init(pseudonym: String) {
    http10 = "1.0 \(pseudonym)"
    http11 = "1.1 \(pseudonym)"
    http2 = "2 \(pseudonym)"
  }

  subscript(_ received: HTTPProtocol) -> String {
    switch received {
    case .http10: http10
    case .http11: http11
    case .http2: http2
    }
  }
}
