import Bytes

/// The client's side of SOCKS 5: one CONNECT through a proxy, which resolves the name (RFC 1928), with user and password if the proxy
/// asks for them (RFC 1929).
///
/// A machine: it is told what came and says what to send. It takes its own bytes off the queue and no others, so that what an origin
/// says first stays there.
public struct SOCKS5Client: Sendable {
  public struct Credentials: Sendable, Equatable {
    /// 1 to 255 bytes each.
    let user: [UInt8]
    let password: [UInt8]

    /// nil where RFC 1929 has no room for them.
    public init?(user: String, password: String) {
      let (user, password) = (Array(user.utf8), Array(password.utf8))
      guard (1...255).contains(user.count), (1...255).contains(password.count) else { return nil }
      self.user = user
      self.password = password
    }
  }

  public enum Action: Sendable, Equatable {
    case needMore
    case send([UInt8])
    /// The tunnel stands; what follows in the queue is the origin's.
    case connected
    case failed(Failure)
  }

  public enum Failure: Error, Sendable, Equatable {
    /// The reply field of RFC 1928, section 6, that is no success.
    case refused(UInt8)
    /// It wants credentials that we lack, or does not accept ours.
    case unauthorized
    /// What came is no SOCKS 5; a sentence.
    case malformed(String)
  }

  private enum Stage { case method, authentication, reply, over }

  private static let noAuthentication: UInt8 = 0
  private static let userAndPassword: UInt8 = 2

  private let target: SOCKS5.Target
  private let credentials: Credentials?
  private var stage = Stage.method

  /// - Parameter target: a name of at most 255 bytes, or an address.
  public init(target: SOCKS5.Target, credentials: Credentials?) {
    self.target = target
    self.credentials = credentials
  }

  /// What is sent first.
  public var greeting: [UInt8] {
    credentials == nil ? [5, 1, Self.noAuthentication] : [5, 2, Self.noAuthentication, Self.userAndPassword]
  }

  /// Looks at what has come; to be asked again after each `send`.
  public mutating func advance(_ input: ByteQueue) -> Action {
    switch stage {
    case .method: return readMethod(input)
    case .authentication: return readAuthentication(input)
    case .reply: return readReply(input)
    case .over: return .needMore
    }
  }

  private mutating func fail(_ failure: Failure) -> Action {
    stage = .over
    return .failed(failure)
  }

  private mutating func readMethod(_ input: ByteQueue) -> Action {
    guard let version = input.byte(at: 0) else { return .needMore }
    guard version == 5 else { return fail(.malformed("It does not begin with the version of SOCKS 5.")) }
    guard let method = input.byte(at: 1) else { return .needMore }
    input.consume(2)
    switch (method, credentials) {
    case (Self.noAuthentication, _):
      stage = .reply
      return .send(request)
    case (Self.userAndPassword, let credentials?):
      stage = .authentication
      return .send(
        [1, UInt8(truncatingIfNeeded: credentials.user.count)] + credentials.user
          + [UInt8(truncatingIfNeeded: credentials.password.count)] + credentials.password)
    case (0xFF, _): return fail(.unauthorized)
    default: return fail(.malformed("It chose a method that was not offered."))
    }
  }

  private mutating func readAuthentication(_ input: ByteQueue) -> Action {
    guard input.count >= 2, let status = input.byte(at: 1) else { return .needMore }
    input.consume(2)
    guard status == 0 else { return fail(.unauthorized) }
    stage = .reply
    return .send(request)
  }

  private var request: [UInt8] {
    let head: [UInt8] = [5, 1, 0]
    let port = [UInt8(target.port >> 8), UInt8(target.port & 0xFF)]
    switch target.destination {
    case .name(let name): return head + [3, UInt8(clamping: name.utf8.count)] + Array(name.utf8.prefix(255)) + port
    case .address(let bytes): return head + [bytes.count == 4 ? 1 : 4] + bytes + port
    }
  }

  private mutating func readReply(_ input: ByteQueue) -> Action {
    guard let version = input.byte(at: 0) else { return .needMore }
    guard version == 5 else { return fail(.malformed("Its reply does not begin with the version of SOCKS 5.")) }
    // Some refuse with the first two bytes alone and close.
    guard let reply = input.byte(at: 1) else { return .needMore }
    guard reply == 0 else { return fail(.refused(reply)) }
    guard let kind = input.byte(at: 3), let size = input.byte(at: 4) else { return .needMore }
    let addressCount: Int
    switch kind {
    case 1: addressCount = 4
    case 4: addressCount = 16
    case 3: addressCount = 1 + Int(size)
    default: return fail(.malformed("Its reply has an unknown kind of address."))
    }
    let length = 4 + addressCount + 2
    guard input.count >= length else { return .needMore }
    input.consume(length)
    stage = .over
    return .connected
  }
}

extension SOCKS5 {
  /// What a reply means, for people (RFC 1928, section 6).
  public static func meaning(of reply: UInt8) -> String {
    switch Reply(rawValue: reply) {
    case .succeeded: "succeeded"
    case .generalFailure: "general failure"
    case .notAllowed: "not allowed by its rules"
    case .networkUnreachable: "network unreachable"
    case .hostUnreachable: "host unreachable"
    case .connectionRefused: "connection refused"
    case .timeToLiveExpired: "TTL expired"
    case .commandNotSupported: "command not supported"
    case .addressTypeNotSupported: "address type not supported"
    case nil: "a reply that no RFC knows"
    }
  }
}
