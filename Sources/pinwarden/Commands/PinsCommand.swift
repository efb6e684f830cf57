import Glibc
import Records
import TLS

extension Command {
  static let pins = Command(
    "pins", "the pins of the certificates in files, as everybody writes them", operands: "FILE…",
    operandCount: 1...Int.max, options: [.format],
    details: """
      For each certificate (PEM or DER, whole chains too) the SHA-256 of its SubjectPublicKeyInfo as NSPinnedDomains, TrustKit, \
      network_security_config, OkHttp and curl write it.

      Asking a HOST comes with `diagnose` in a later version; until then save its chain first:
      openssl s_client -connect a.test:443 -servername a.test -showcerts </dev/null >chain.pem
      """
  ) { arguments throws(CommandFault) in
    var found: [(file: String, certificates: [Certificate])] = []
    for file in arguments.operands { found.append((file, try certificates(in: file))) }
    if arguments.wantsJSON {
      try Output.writeJSON { json in
        json.beginArray()
        for (file, certificates) in found {
          for certificate in certificates { CertificateReport(certificate).write(to: &json, file: file) }
        }
        json.endArray()
      }
    } else {
      for (file, certificates) in found {
        for (index, certificate) in certificates.enumerated() {
          let place = certificates.count == 1 ? file : "\(file), certificate \(index + 1) of \(certificates.count)"
          try Output.write("\(PlainText.oneLine(place))\n\(CertificateReport(certificate).text)\n")
        }
      }
    }
    return .success
  }

  private static func certificates(in file: String) throws(CommandFault) -> [Certificate] {
    guard access(file, F_OK) == 0 || file.contains("/") else {
      throw .failed(
        .unreadable,
        "there is no file \(file); asking a host comes with `diagnose` in a later version (see `pinwarden pins --help`)"
      )
    }
    let bytes = try InputFile.read(file)
    do throws(TLSFileFault) {
      return try Certificate.parse(pemOrDER: bytes)
    } catch {
      throw .failed(.unreadable, "\(file): \(error)")
    }
  }
}
