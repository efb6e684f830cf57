import Authority
import Configuration
import Console
import Records

extension Command {
  static let authority = Command(
    "authority", "the local CA that devices are to trust",
    subcommands: [showAuthority, exportAuthority, rotateAuthority])

  private static let showAuthority = Command(
    "authority show", "name, fingerprint and expiry of the local CA", options: [.config, .stateDirectory, .format],
    details:
      "The CA is made if there is none yet. Compare the fingerprint with what a device shows before it trusts it."
  ) { arguments throws(CommandFault) in
    let source = try load(arguments)
    if arguments.wantsJSON {
      try Output.writeJSON { json in
        json.beginObject()
        json.optional("file", source.file)
        CertificateReport(source.authority.certificate).writeMembers(to: &json)
        json.endObject()
      }
    } else {
      var facts = CertificateReport(source.authority.certificate).facts
      facts.add("pin", "sha256/\(CertificateReport(source.authority.certificate).digest)")
      facts.add("file", source.file ?? "as the configuration says")
      try Output.write(facts.text(style: .standardOutput))
    }
    return .success
  }

  private static let exportAuthority = Command(
    "authority export", "the local CA's certificate, for devices and programs",
    options: [.config, .stateDirectory, .exportFormat],
    details: """
      Writes to standard output; never the key. The CA is made if there is none yet. A mobileconfig is what iOS, iPadOS and macOS \
      install; installed again, it takes the place of the first.
      """
  ) { arguments throws(CommandFault) in
    let authority = try load(arguments).publicAuthority
    switch arguments.value(.exportFormat) {
    case "der": try Output.write(authority.der)
    case "mobileconfig": try Output.write(ConfigurationProfile(authority).text)
    default: try Output.write(authority.pem)
    }
    return .success
  }

  private static let rotateAuthority = Command(
    "authority rotate", "make a new local CA; the old one is kept beside it", options: [.config, .stateDirectory],
    details: """
      Devices must trust the new one before they can go on. A running daemon takes it when it reloads its configuration (SIGHUP).
      """
  ) { arguments throws(CommandFault) in
    let source = try AuthoritySource.rotate(try configuration(arguments))
    try Output.write(
      "made a new authority, which devices must trust before they can go on\n"
        + CertificateReport(source.authority.certificate).facts.text(style: .standardOutput)
        + "a running daemon takes it when it reloads its configuration (SIGHUP)\n")
    return .success
  }

  private static func configuration(_ arguments: Arguments) throws(CommandFault) -> Configuration {
    try LoadedConfiguration.load(
      arguments, overrides: CommandLineOverrides(stateDirectory: arguments.value(.stateDirectory)))
  }

  private static func load(_ arguments: Arguments) throws(CommandFault) -> AuthoritySource {
    let source = try AuthoritySource.load(try configuration(arguments))
    if source.isNew { Output.complain("pinwarden: made a new authority, \(source.file ?? "")\n") }
    for warning in source.warnings { Output.complain("pinwarden: warning: \(warning)\n") }
    return source
  }
}

extension Option {
  fileprivate static let exportFormat = Option.choice(
    "format", ["pem", "der", "mobileconfig"], "PEM by default; DER for Android, mobileconfig for Apple devices")
}
