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
      Names, issuers, keys and expiry of what is inside, and the algorithms that protect it. Old files (3DES, RC2) can be read too.
      """
  ) { arguments throws(CommandFault) in
    let file = arguments.operands[0]
    let contents = try open(file, arguments)
    let report = IdentityReport(file: file, contents: contents)
    if arguments.wantsJSON { try Output.writeJSON { report.write(to: &$0) } } else { try Output.write(report.text) }
    return .success
  }

  private static let rewrapIdentity = Command(
    "identity rewrap", "write an identity anew, encrypted with modern algorithms", operands: "IN.p12 OUT.p12",
    operandCount: 2...2,
    options: [
      .config, .stateDirectory, .passphraseEnvironment, .passphraseFile, .allowUnauthenticated, .identityName,
    ],
    details: """
      The new file has AES-256, PBKDF2 and a MAC with SHA-256, and the same passphrase. It is readable for its owner only; a file \
      that exists is never overwritten.
      """
  ) { arguments throws(CommandFault) in
    let (source, target) = (arguments.operands[0], arguments.operands[1])
    let contents = try open(source, arguments)
    let passphrase = try Passphrase.read(arguments) ?? []
    let entry = try choose(arguments.value(.identityName), among: contents.entries, of: source)
    let bytes: [UInt8]
    do throws(TLSFileFault) {
      bytes = try PKCS12.write(
        entry.identity, friendlyName: entry.friendlyName, passphrase: passphrase)
    } catch {
      throw .failed(.unreadable, "\(source): \(error)")
    }
    try OutputFile.create(target, bytes)
    try Output.write("\(target): \(PlainText.oneLine(entry.identity.name)), AES-256-CBC with PBKDF2\n")
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

  private static func choose(
    _ name: String?, among entries: [PKCS12Contents.Entry], of file: String
  ) throws(CommandFault) -> PKCS12Contents.Entry {
    let fitting = entries.filter { name == nil || $0.identity.name == name }
    if let entry = fitting.first, fitting.count == 1 { return entry }
    let names = entries.map { PlainText.oneLine($0.identity.name) }.joined(separator: ", ")
    guard let name else {
      throw .failed(.unreadable, "\(file) holds \(entries.count) identities (\(names)): choose one with --name")
    }
    throw .failed(.unreadable, "\(file) holds \(fitting.count) identities called `\(name)`; inside are \(names)")
  }
}

extension Option {
  fileprivate static let allowUnauthenticated = Option.flag(
    "allow-unauthenticated", "read a file without MAC, of which nothing proves that it is whole")
  fileprivate static let identityName = Option.value("name", "NAME", "which identity, if there are several")
}
