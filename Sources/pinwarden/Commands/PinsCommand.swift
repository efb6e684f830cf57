import Configuration
import Diagnosis
import Glibc
import Names
import Records
import TLS

extension Command {
  static let pins = Command(
    "pins", "the pins of certificates, as everybody writes them", operands: "FILE|HOST…",
    operandCount: 1...Int.max, options: [.config, .timeout, .format],
    details: """
      For each certificate the SHA-256 of its SubjectPublicKeyInfo as NSPinnedDomains, TrustKit, network_security_config, OkHttp and curl \
      write it. A FILE is PEM or DER, whole chains too. A HOST, with :PORT where it is not 443, is asked by a TLS handshake that ends when \
      its certificates are there; they need not be valid, but it is said if they are not. upstream.resolve and upstream.anchors of --config \
      count. What is a file is read as a file; a HOST with a slash in it does not exist.

      `pinwarden pins rehearse` tells what a new certificate will do before it is installed.
      """, subcommands: [rehearsePins]
  ) { arguments throws(CommandFault) in
    var found: [CertificateSource] = []
    for operand in arguments.operands { found.append(try await CertificateSource(operand, arguments)) }
    if arguments.wantsJSON {
      try Output.writeJSON { json in
        json.beginArray()
        for source in found { source.write(to: &json) }
        json.endArray()
      }
    } else {
      for source in found { try Output.write(source.text(.standardOutput)) }
    }
    return .success
  }
}

extension Option {
  fileprivate static let timeout = Option.value(
    "timeout", "SECONDS", "how long a host may take; 10 by default, or upstream.connectTimeout")

  /// For those who ask hosts.
  static func timeout(_ arguments: Arguments, _ configuration: Configuration) throws(CommandFault) -> Duration {
    guard let text = arguments.value(.timeout) else { return configuration.upstream.connectTimeout }
    guard let seconds = Int(text), (1...600).contains(seconds) else {
      throw .usage("--timeout is `\(text)`, but must be 1 to 600, in seconds")
    }
    return .seconds(seconds)
  }
}
