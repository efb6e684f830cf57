/// What a visitor of the console must know, and the means to recognise it. A value; a reload makes another.
public struct ConsoleCredentials: Sendable {
  /// HMAC-SHA-256 of a message under a key: 32 bytes.
  public typealias MessageCode = @Sendable (_ key: [UInt8], _ message: [UInt8]) -> [UInt8]

  private static let codeByteCount = 32

  private let token: [UInt8]
  private let key: [UInt8]
  private let code: MessageCode

  /// - Parameters:
  ///   - sessionKey: signs the sessions of this token; not to be guessed from a session. Sessions last as long as it stays the same.
  ///   - code: passed in, since the cryptography is not Console's to import.
  public init(token: String, sessionKey: [UInt8], code: @escaping MessageCode) {
    self.token = Array(token.utf8)
    key = sessionKey
    self.code = code
  }

  /// Whether this is the token. Takes the same time wherever the two differ.
  func isToken(_ candidate: some Sequence<UInt8>) -> Bool {
    // Codes under a secret key have one length, and whoever offers the candidate cannot choose theirs.
    Self.areEqual(code(key, Array("token".utf8) + token), code(key, Array("token".utf8) + Array(candidate)))
  }

  /// The code by which a session until `expiry` (seconds since 1970) is known as ours. It holds for this token alone.
  func sessionCode(expiry: Int64) -> [UInt8] {
    code(key, Array("session \(expiry) ".utf8) + token)
  }

  /// Whether both are codes and the same, compared without a branch on their bytes.
  static func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    guard one.count == codeByteCount, other.count == codeByteCount else { return false }
    return zip(one, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }

  /// Whether sessions and visitors of the other keep their admission here.
  func admitsTheSame(as other: ConsoleCredentials) -> Bool {
    token == other.token && key == other.key
  }
}
