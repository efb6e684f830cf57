import Configuration
import Diagnosis
import Glibc
import Names
import Records
import TLS

/// Certificates that a command line names by a file or a host.
struct CertificateSource {
  /// As it was named.
  let name: String
  let certificates: [Certificate]
  /// Where a host showed them; nil: they come from a file.
  let chain: PresentedChain?

  /// What is a file, or looks like the path of one, is read; everything else is a host that is asked.
  init(_ name: String, _ arguments: Arguments) async throws(CommandFault) {
    self.name = name
    guard access(name, F_OK) == 0 || Self.looksLikeFile(name) else {
      let chain = try await Self.ask(name, arguments)
      certificates = chain.certificates
      self.chain = chain
      return
    }
    certificates = try Self.read(name)
    chain = nil
  }

  private static func looksLikeFile(_ name: String) -> Bool {
    name.contains("/") || [".pem", ".cer", ".crt", ".der"].contains { name.lowercased().hasSuffix($0) }
  }

  /// PEM or DER, one certificate or several.
  static func read(_ file: String) throws(CommandFault) -> [Certificate] {
    let bytes = try InputFile.read(file)
    do throws(TLSFileFault) {
      return try Certificate.parse(pemOrDER: bytes)
    } catch {
      throw .failed(.unreadable, "\(file): \(error)")
    }
  }

  private static func ask(_ name: String, _ arguments: Arguments) async throws(CommandFault) -> PresentedChain {
    guard let target = try? HostPort(authority: name, defaultPort: 443) else {
      throw .failed(.unreadable, "there is no file \(name), and it is no host either")
    }
    let configuration = try LoadedConfiguration.load(arguments)
    let anchors = configuration.upstream.anchors.map {
      TrustStore(certificates: $0, partialChain: true, includingSystem: false)
    }
    let result = await ChainFetch.chain(
      of: target, at: configuration.upstream.resolve[target] ?? target, anchors: anchors ?? .system(),
      timeout: try Option.timeout(arguments, configuration))
    switch result {
    case .success(let chain): return chain
    case .failure(let fault):
      throw .failed(
        .unavailable, "there is no file \(name), and the host \(target) has no certificates: \(fault.reason)")
    }
  }

  func text(_ style: TextStyle) -> String {
    var text = ""
    if let chain {
      text += style.wrapped("\(chain.target) at \(chain.address), \(chain.version.name)", paint: .bold)
      text +=
        chain.faults.isEmpty
        ? style.wrapped("Its certificates are valid.", lead: "  ", paint: .good)
        : style.wrapped(
          "Its certificates are NOT valid: \(chain.faults.map(PlainText.oneLine).joined(separator: "; ")). Do not pin what you cannot "
            + "vouch for.", lead: "  ", indent: "  ", paint: .bad)
      text += "\n"
    }
    for (index, certificate) in certificates.enumerated() {
      let number = certificates.count == 1 ? "" : ", certificate \(index + 1) of \(certificates.count)"
      text += style.wrapped(PlainText.oneLine(name) + number, paint: .bold)
      text += CertificateReport(certificate).text(style) + "\n"
    }
    return text
  }

  /// One object for each certificate. Those of a host have `host`, `address`, `valid` and `faults` in place of `file`.
  func write(to json: inout JSONText) {
    for certificate in certificates {
      json.beginObject()
      if let chain {
        json.string("host", "\(chain.target)")
        json.string("address", chain.address)
        json.boolean("valid", chain.faults.isEmpty)
        json.beginArray("faults")
        for fault in chain.faults { json.string(nil, fault) }
        json.endArray()
      } else {
        json.string("file", name)
      }
      CertificateReport(certificate).writePins(to: &json)
      json.endObject()
    }
  }
}
