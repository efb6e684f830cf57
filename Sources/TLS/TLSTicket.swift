import COpenSSL
import Names
import Synchronization

/// A session with an origin that can be resumed, and what its owner wants to remember about it.
///
/// It carries the identity that was presented and skips the origin's certificate: keep it under a key that has everything in it
/// which the verdict depended on.
public final class TLSTicket: Sendable {
  private struct State {
    var memo: (any Sendable)?
    var isSpent = false
  }

  /// Shared with OpenSSL under its own count of references; the object is not changed after the handshake that made it, except
  /// for atomic marks by the library.
  nonisolated(unsafe) private let pointer: OpaquePointer
  private let state = Mutex(State())

  /// The version of the session.
  public let version: TLSVersion
  /// Seconds since 1970 from which on the origin will not honour it.
  public let expires: Int64

  /// Takes over one reference.
  internal init(adopting pointer: OpaquePointer) {
    self.pointer = pointer
    version = TLSVersion(rawValue: UInt16(truncatingIfNeeded: SSL_SESSION_get_protocol_version(pointer))) ?? .v12
    let hint = Int64(clamping: SSL_SESSION_get_ticket_lifetime_hint(pointer))
    let timeout = Int64(SSL_SESSION_get_timeout(pointer))
    expires = Int64(SSL_SESSION_get_time(pointer)) + (hint > 0 ? min(hint, timeout) : timeout)
  }

  deinit {
    SSL_SESSION_free(pointer)
  }

  /// A ticket of TLS 1.3 resumes one connection only (RFC 8446 appendix C.4); a second use makes a full handshake.
  public var isSingleUse: Bool { version >= .v13 }

  /// What the owner stores beside it, such as the verdict on the origin.
  public var memo: (any Sendable)? {
    get { state.withLock { $0.memo } }
    set { state.withLock { $0.memo = newValue } }
  }

  /// Gives `use` the session unless it is spent, and marks it as spent if it works once.
  internal func spend(_ use: (OpaquePointer) -> Void) {
    let isUsable = state.withLock { state in
      defer { state.isSpent = isSingleUse }
      return !state.isSpent
    }
    if isUsable { use(pointer) }
  }
}
