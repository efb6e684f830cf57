import Records
import TLS

extension Command {
  static let identity = Command(
    "identity", "look into PKCS#12 files with client identities, and renew their encryption",
    subcommands: [inspectIdentity, rewrapIdentity])

  private static let inspectIdentity = Command(
    "identity inspect", "the identities inside a PKCS#12 file", operands: "FILE.p12", operandCount: 1...1,
    options: [.config, .stateDirectory, .passphraseEnvironment, .passphraseFile, .allowUnauthenticated, .format],
    details: """
      Names, issuers, keys and expiry of what is inside, the algorithms that protect it, and what is weak about them. Old files (3DES, RC2) \
      can be read too.
      """
  ) { arguments throws(CommandFault) in
    let file = arguments.operands[0]
    let contents = try open(file, arguments)
    let report = IdentityReport(file: file, contents: contents, now: Log.now / 1_000)
    if arguments.wantsJSON {
      try Output.writeJSON { report.write(to: &$0) }
    } else {
      try Output.write(report.text(.standardOutput))
    }
    return .success
  }

  private static let rewrapIdentity = Command(
    "identity rewrap", "write identities anew, encrypted with modern algorithms", operands: "IN.p12 OUT.p12",
    operandCount: 2...2,
    options: [
      .config, .stateDirectory, .passphraseEnvironment, .passphraseFile, .allowUnauthenticated, .identityName,
    ],
    details: """
      The new file has AES-256, PBKDF2 with 100000 rounds and a MAC with SHA-256, and the same passphrase. All identities are taken over \
      with their chains and friendly names, or with --name one of them. The file is readable for its owner only and comes into being \
      whole; one that exists, IN.p12 included, is never overwritten.
      """
  ) { arguments throws(CommandFault) in
    let (source, target) = (arguments.operands[0], arguments.operands[1])
    let contents = try open(source, arguments)
    let passphrase = try Passphrase.read(arguments) ?? []
    let entries = try choose(arguments.value(.identityName), among: contents.entries, of: source)
    let bytes: [UInt8]
    do throws(TLSFileFault) {
      bytes = try PKCS12.write(entries, passphrase: passphrase)
    } catch {
      throw .failed(.unreadable, "\(source): \(error)")
    }
    try OutputFile.create(target, bytes)
    let names = entries.map { PlainText.oneLine($0.identity.name) }.joined(separator: ", ")
    try Output.write(
      TextStyle.standardOutput.wrapped(
        "\(PlainText.oneLine(target)): \(names); AES-256-CBC with PBKDF2, MAC with SHA-256", indent: "  "))
    return .success
  }

  private static func open(_ file: String, _ arguments: Arguments) throws(CommandFault) -> PKCS12Contents {
    let passphrase = try Passphrase.read(arguments)
    let bytes = try InputFile.read(file)
    do throws(TLSFileFault) {
      return try PKCS12.load(
        bytes, passphrase: passphrase ?? [], allowUnauthenticated: arguments.has(.allowUnauthenticated))
    } catch .wrongPassphrase where passphrase == nil {
      throw .failed(
        .unreadable, "\(file) is behind a passphrase: give it with --passphrase-env NAME or --passphrase-file FILE")
    } catch .noMAC {
      throw .failed(
        .unreadable,
        "\(file) has no MAC, so nothing proves that it is whole; --allow-unauthenticated reads it all the same")
    } catch {
      throw .failed(.unreadable, "\(file): \(error)")
    }
  }

  /// All identities, or those of a name.
  private static func choose(
    _ name: String?, among entries: [PKCS12Contents.Entry], of file: String
  ) throws(CommandFault) -> [PKCS12Contents.Entry] {
    guard let name else { return entries }
    let fitting = entries.filter { $0.identity.name == name }
    guard fitting.isEmpty else { return fitting }
    let names = entries.map { PlainText.oneLine($0.identity.name) }.joined(separator: ", ")
    throw .failed(.unreadable, "\(file) holds no identity called `\(name)`; inside are \(names)")
  }
}

extension Option {
  fileprivate static let allowUnauthenticated = Option.flag(
    "allow-unauthenticated", "read a file without MAC, of which nothing proves that it is whole")
  fileprivate static let identityName = Option.value("name", "NAME", "only the identity of this name")
}
