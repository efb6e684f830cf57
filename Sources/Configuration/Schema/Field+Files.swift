import Policy

/// Files and secrets that the configuration names.
extension Field {
  private static let fileForms = "a path or { credential: \"NAME\" } is expected"

  /// The path of a file: text, or the name of a credential of systemd.
  func filePath() -> String? {
    switch node.value {
    case .string(let text): return text.isEmpty ? reject("the path is empty") : reading.resolve(text)
    case .object:
      return section { section in
        section.field("credential").flatMap { $0.credentialPath() } ?? section.rejectMissing("credential")
      }
        ?? nil
    default: return rejectKind(expected: Self.fileForms)
    }
  }

  /// The content of a file that must exist, with its path.
  func contents(limit: Int = FileContents.defaultLimit) -> (bytes: [UInt8], path: String)? {
    guard let path = filePath() else { return nil }
    return contents(of: path, limit: limit).map { ($0, path) }
  }

  func contents(of path: String, limit: Int = FileContents.defaultLimit) -> [UInt8]? {
    do throws(FileFault) {
      return try FileContents.read(path, limit: limit)
    } catch {
      return reject("cannot read `\(path)`: \(error)")
    }
  }

  /// Where systemd put a credential of this name.
  func credentialPath() -> String? {
    guard let name = nonEmptyString("the name of a credential is expected") else { return nil }
    guard !name.contains("/"), name != ".", name != "..", !name.utf8.contains(0) else {
      return reject("\(shown) is no name of a credential")
    }
    guard let folder = reading.environment["CREDENTIALS_DIRECTORY"], !folder.isEmpty else {
      return reject("there is no $CREDENTIALS_DIRECTORY; systemd sets it where a unit has LoadCredential=\(name)")
    }
    return "\(folder)/\(name)"
  }

  /// A secret that stands elsewhere: `{ env: "NAME" }`, `{ file: "path" }` or `{ credential: "NAME" }`. Never shown in a message.
  ///
  /// One line end at the end of a file is not part of the secret.
  func secret() -> [UInt8]? {
    let forms = "{ env: \"NAME\" }, { file: \"path\" } or { credential: \"NAME\" } is expected"
    guard case .object(let members) = node.value, members.count == 1 else {
      return reject("a secret does not stand in the configuration; \(forms)")
    }
    return section { section -> [UInt8]? in
      let env = section.field("env")
      let file = section.field("file")
      let credential = section.field("credential")
      if let env { return env.environmentValue() }
      guard let field = file ?? credential, let path = file?.filePath() ?? credential?.credentialPath() else {
        return nil
      }
      return field.contents(of: path, limit: 64 << 10).map(Self.withoutLineEnd)
    } ?? nil
  }

  /// A secret that may also stand in the file itself, as the console's token does.
  func secretOrText() -> [UInt8]? {
    if case .string(let text) = node.value { return Array(text.utf8) }
    return secret()
  }

  /// A key in PEM: a file, or `{ env: "NAME" }` whose value is the text itself. `path` is nil for the latter.
  func keyMaterial() -> (bytes: [UInt8], path: String?)? {
    if case .object(let members) = node.value, members.count == 1, members.first?.key == "env" {
      return secret().map { ($0, nil) }
    }
    guard let (bytes, path) = contents() else { return nil }
    if case .string = node.value, FileContents.isReadableByAll(path) {
      report(.warning, "everybody on this machine can read the key in `\(path)`; `chmod 600` it")
    }
    return (bytes, path)
  }

  private func environmentValue() -> [UInt8]? {
    guard let name = nonEmptyString("the name of an environment variable is expected") else { return nil }
    guard let value = reading.environment[name] else { return reject("the environment variable `\(name)` is not set") }
    return Array(value.utf8)
  }

  private static func withoutLineEnd(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes[...]
    if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
    if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
    return Array(bytes)
  }
}

extension Section {
  /// Reports that a key without a default is absent, unless it is there and was rejected for another reason.
  func rejectMissing<Value>(_ key: String) -> Value? {
    field(key) == nil ? field.reject("the key `\(key)` is missing") : nil
  }
}
