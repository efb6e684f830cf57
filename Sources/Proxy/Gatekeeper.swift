import Bytes
import Dispatch
import EventLoop
import Synchronization
import TLS

/// Checks the credentials of clients (`access.credentials`). Verifying a password hash takes milliseconds, so it happens on a
/// queue of its own and its result is remembered until the next reload, as a keyed digest and never as the password.
final class Gatekeeper: Sendable {
  enum Answer: Sendable, Equatable {
    case admitted(user: String?)
    case refused
    /// The answer comes later through the closure given to `check`.
    case pending
  }

  private static let rememberedLimit = 4_096
  private static let work = WorkQueue(label: "pinwarden.passwords", width: 1, qos: .userInitiated)

  /// Passwords that wait to be verified.
  static var waitingCount: Int { work.waitingCount }

  private let credentials: [String: String]?
  private let salt = RandomBytes.make(32)
  private let remembered = Mutex<[[UInt8]: String?]>([:])

  /// - Parameter credentials: `crypt` hashes by user; nil: everybody is admitted.
  init(credentials: [String: String]?) {
    self.credentials = credentials
  }

  /// Whether clients must show credentials.
  var asksForCredentials: Bool { credentials != nil }

  /// - Parameters:
  ///   - authorization: the value of `Proxy-Authorization`; nil when the client sent none.
  ///   - later: called on any thread when the answer was `.pending`.
  func check(_ authorization: String?, later: @escaping @Sendable (Answer) -> Void) -> Answer {
    guard credentials != nil else { return .admitted(user: nil) }
    guard let (user, password) = authorization.flatMap(Self.basic) else { return .refused }
    return check(user: user, password: password, later: later)
  }

  /// - Parameter later: called on any thread when the answer was `.pending`.
  func check(user: String, password: [UInt8], later: @escaping @Sendable (Answer) -> Void) -> Answer {
    guard let credentials else { return .admitted(user: nil) }
    let key = Digest.sha256(salt + Array(user.utf8) + [0] + password)
    if let known = remembered.withLock({ $0[key] }) {
      return known.map { .admitted(user: $0) } ?? .refused
    }
    // An unknown user costs as much as a known one, so that names cannot be told apart by time.
    let hash = credentials[user] ?? credentials.values.first ?? "*"
    let exists = credentials[user] != nil
    let isTaken = Self.work.submit { [self] in
      let isRight = PasswordHash.verify(password, against: hash) && exists
      remember(key, isRight ? user : nil)
      later(isRight ? .admitted(user: user) : .refused)
    }
    return isTaken ? .pending : .refused
  }

  private func remember(_ key: [UInt8], _ user: String?) {
    remembered.withLock { table in
      if table.count >= Self.rememberedLimit { table.removeAll() }
      table[key] = .some(user)
    }
  }

  /// `Basic` credentials (RFC 7617): the user ends at the first colon.
  private static func basic(_ value: String) -> (user: String, password: [UInt8])? {
    let parts = value.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
    guard parts.count == 2, parts[0].lowercased() == "basic", let decoded = Base64.decode(parts[1].drop { $0 == " " }),
      let colon = decoded.firstIndex(of: UInt8(ascii: ":"))
    else { return nil }
    return (String(decoding: decoded[..<colon], as: UTF8.self), Array(decoded[(colon + 1)...]))
  }
}
