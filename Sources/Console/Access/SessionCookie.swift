/// The cookie by which a browser is known after its login: a date of expiry and a code over it (RFC 6265).
///
/// The token cannot be got back out of it, and nothing is kept here for it.
struct SessionCookie {
  /// Seconds.
  static let lifetime: Int64 = 7 * 86_400
  /// More cookies of our name than this in one request are no browser's.
  private static let candidateLimit = 4

  /// Browsers do not tell the ports of a host apart, so each console has a name of its own.
  let name: String

  init(port: UInt16?) {
    name = port.map { "pinwarden-\($0)" } ?? "pinwarden"
  }

  // MARK: out

  /// The value of `Set-Cookie` for a login at `now`, in seconds since 1970.
  func admission(_ credentials: ConsoleCredentials, now: Int64) -> String {
    let expiry = now + Self.lifetime
    let value = "\(expiry)-\(Self.hexadecimal(credentials.sessionCode(expiry: expiry)))"
    return "\(name)=\(value); Path=/; Max-Age=\(Self.lifetime); HttpOnly; SameSite=Strict"
  }

  /// The value of `Set-Cookie` that makes a browser forget it.
  var removal: String { "\(name)=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict" }

  // MARK: in

  /// Whether one of the cookies of a request is a session that holds at `now`.
  func isAdmitted(cookies: [String], _ credentials: ConsoleCredentials, now: Int64) -> Bool {
    candidates(cookies).prefix(Self.candidateLimit).contains { Self.isSession($0, credentials, now: now) }
  }

  private func candidates(_ cookies: [String]) -> [Substring] {
    cookies.flatMap { $0.split(separator: ";") }.compactMap { pair in
      let pair = pair.drop { $0 == " " || $0 == "\t" }
      guard pair.hasPrefix("\(name)=") else { return nil }
      return pair.dropFirst(name.count + 1)
    }
  }

  private static func isSession(_ value: Substring, _ credentials: ConsoleCredentials, now: Int64) -> Bool {
    let parts = value.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let expiry = Int64(parts[0]), String(expiry) == parts[0], expiry > now else { return false }
    return ConsoleCredentials.areEqual(bytes(parts[1]), credentials.sessionCode(expiry: expiry))
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// Empty for what is not 64 hexadecimal digits.
  private static func bytes(_ text: Substring) -> [UInt8] {
    guard text.utf8.count == 64 else { return [] }
    let digits = text.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
    guard digits.count == 64 else { return [] }
    return stride(from: 0, to: 64, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }
}
