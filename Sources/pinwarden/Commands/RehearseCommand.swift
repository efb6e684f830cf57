import Diagnosis
import Names
import Records

extension Command {
  static let rehearsePins = Command(
    "pins rehearse", "what the configuration would say of new certificates, before they are installed",
    options: [.config, .replace, .rehearsedHost, .format],
    details: """
      For each host of the certificates: whether certificate trust, the rule's trust policy, NSPinnedDomains and each import would accept \
      NEW.pem in place of OLD.pem, from when to when, and what to add where they would not, in the form of each file. OLD.pem and NEW.pem \
      are a leaf with its issuers behind it; a new leaf alone is taken to be sent with the old issuers.

      Exit code 0 when every host accepts the new certificates as soon as they are valid, or 1.
      """
  ) { arguments throws(CommandFault) in
    let replacements = try replacements(arguments)
    let configuration = try LoadedConfiguration.load(arguments)
    let rehearsal = Rehearsal(
      configuration, replacements: replacements, naming: try hosts(arguments), now: Log.now / 1_000)
    guard !rehearsal.hosts.isEmpty else {
      throw .failed(
        .unreadable,
        "neither certificate is for a host: they have no names, and nothing in the configuration fits; name one with --host"
      )
    }
    if arguments.wantsJSON {
      try Output.writeJSON { rehearsal.write(to: &$0) }
    } else {
      try Output.write(RehearsalReport(rehearsal: rehearsal, style: .standardOutput).text)
    }
    return rehearsal.isAccepted ? .success : .negative
  }

  private static func replacements(_ arguments: Arguments) throws(CommandFault) -> [CertificateReplacement] {
    let texts = arguments.values(.replace)
    guard !texts.isEmpty else { throw .usage("--replace OLD.pem=NEW.pem is missing") }
    var replacements: [CertificateReplacement] = []
    for text in texts {
      let parts = text.split(separator: "=", maxSplits: 1).map { String($0) }
      guard parts.count == 2, let oldName = parts.first, let newName = parts.last else {
        throw .usage("--replace is `\(text)`, but must be OLD.pem=NEW.pem")
      }
      let (old, new) = (try CertificateSource.read(oldName), try CertificateSource.read(newName))
      guard let replacement = CertificateReplacement(oldName: oldName, old: old, newName: newName, new: new) else {
        throw .failed(.unreadable, "\(text) holds no certificates")
      }
      replacements.append(replacement)
    }
    return replacements
  }

  private static func hosts(_ arguments: Arguments) throws(CommandFault) -> [Host] {
    var hosts: [Host] = []
    for name in arguments.values(.rehearsedHost) {
      guard let host = try? Host(name) else { throw .usage("--host is `\(name)`, but must be a host such as a.test") }
      hosts.append(host)
    }
    return hosts
  }
}

extension Option {
  fileprivate static let replace = Option.list(
    "replace", "OLD.pem=NEW.pem", "the certificates in use, and those that are to take their place")
  fileprivate static let rehearsedHost = Option.list("host", "HOST", "also look at this host")
}
