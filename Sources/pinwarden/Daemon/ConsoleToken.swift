import Authority
import Configuration
import Console
import Glibc
import TLS

/// The console's token: the one of the configuration, or one that was made at the first start and is kept in the state directory.
struct ConsoleToken {
  static let fileName = "console.token"
  /// Unpredictable bytes in a token that is made here.
  private static let byteCount = 32
  private static let shortest = 16

  let text: String
  /// Where it is kept; nil: in the configuration.
  let file: String?
  /// The file could be read by others; that has been mended.
  let wasExposed: Bool

  /// Makes the file, and the state directory, if they are missing.
  static func load(_ settings: ConsoleSettings, in folder: StateFolder) throws(CommandFault) -> ConsoleToken {
    if let token = settings.token { return ConsoleToken(text: token, file: nil, wasExposed: false) }
    do throws(AuthorityFault) {
      try folder.makeDirectory()
      if let token = try read(folder) { return token }
      let text = PlainText.hexadecimal(RandomBytes.make(byteCount))
      let path = folder.path(fileName)
      if try folder.publish(Array("\(text)\n".utf8), at: path, mode: 0o600) {
        return ConsoleToken(text: text, file: path, wasExposed: false)
      }
      // Another process was first.
      guard let token = try read(folder) else { throw .failed("\(path) has just been removed") }
      return token
    } catch {
      throw fault(error)
    }
  }

  /// nil: there is none yet.
  private static func read(_ folder: StateFolder) throws(AuthorityFault) -> ConsoleToken? {
    let path = folder.path(fileName)
    guard let (bytes, mode) = try folder.read(path) else { return nil }
    let text = String(decoding: bytes, as: UTF8.self).trimmed
    guard text.utf8.count >= shortest, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw .failed(
        "\(path) holds no token of at least \(shortest) printable characters: remove it, and a new one is made")
    }
    let isExposed = mode & 0o077 != 0
    if isExposed, chmod(path, 0o600) != 0 {
      throw .failed("\(path) can be used by others: chmod 600 \(path)")
    }
    return ConsoleToken(text: text, file: path, wasExposed: isExposed)
  }

  /// What recognises visitors who know it.
  ///
  /// - Parameter key: signs sessions where the token was chosen by somebody and might be guessed from one. Sessions of a token that
  ///   was made here last over a restart, since nobody can.
  func credentials(sessionKey key: [UInt8]) -> ConsoleCredentials {
    ConsoleCredentials(token: text, sessionKey: file == nil ? key : Array(text.utf8)) { key, message in
      MessageAuthentication.sha256(key: key, message)
    }
  }

  private static func fault(_ fault: AuthorityFault) -> CommandFault {
    guard case .system(_, _, let code, _) = fault else {
      return .failed(.configuration, "the console's token: \(fault)")
    }
    return .failed(
      code == EACCES || code == EPERM ? .noPermission : .cannotCreate, "the console's token: \(fault)")
  }
}

extension String {
  /// Without blanks and line ends around it.
  fileprivate var trimmed: String {
    String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }
}
