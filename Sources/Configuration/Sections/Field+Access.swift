import Names
import Policy

extension Field {
  func access() -> AccessSettings? {
    section { section in
      var settings = AccessSettings()
      section.read("clients", into: &settings.clients) { $0.list { $0.network() } }
      section.read("credentials", into: &settings.credentials) { $0.credentials() }
      if settings.credentials == nil, let field = section.field("clients"),
        let open = settings.clients.first(where: { $0.prefixLength == 0 })
      {
        field.report(
          .warning, "`\(open)` admits everybody who can reach the proxy, and nobody is asked for credentials")
      }
      return settings
    }
  }

  private func credentials() -> [String: String]? {
    section { section -> [String: String]? in
      guard let file = section.field("htpasswd") else { return section.rejectMissing("htpasswd") }
      return file.contents(limit: 4 << 20).map { file.users(in: $0.bytes, of: $0.path) }
    } ?? nil
  }

  /// The lines `user:hash` of a password file; what is wrong in it is reported with its own name and lines.
  private func users(in bytes: [UInt8], of path: String) -> [String: String] {
    var users: [String: String] = [:]
    for (number, line) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
      let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
      guard let first = line.first, first != UInt8(ascii: "#") else { continue }
      func complain(_ message: String) {
        reading.add(
          Finding(
            level: .error, file: path, line: number + 1, column: 1, keyPath: self.path.description, message: message))
      }
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon != line.startIndex else {
        complain("a line has the form `user:hash`")
        continue
      }
      let user = String(decoding: line[..<colon], as: UTF8.self)
      let hash = String(decoding: line[line.index(after: colon)...], as: UTF8.self)
      guard ["$2y$", "$2b$", "$2a$", "$5$", "$6$"].contains(where: hash.hasPrefix) else {
        complain(
          "the hash of `\(user)` is neither bcrypt nor SHA-crypt; `htpasswd -B` and `openssl passwd -6` make such")
        continue
      }
      if users.updateValue(hash, forKey: user) != nil { complain("the user `\(user)` is given twice") }
    }
    if users.isEmpty { report(.warning, "`\(path)` names no user, so nobody is admitted") }
    return users
  }
}
