import Authority
import Configuration
import Console
import Glibc
import TLS

/// The local CA of a configuration: one of the operator's own, or the one in the state directory.
struct AuthoritySource {
  let authority: CertificateAuthority
  /// Its certificate in the state directory; nil when the configuration names its own.
  let file: String?
  /// Made just now.
  let isNew: Bool
  let warnings: [String]

  /// Makes it in the state directory if there is none yet.
  static func load(_ configuration: Configuration) throws(CommandFault) -> AuthoritySource {
    // Whatever else comes to be beside the key is nobody else's business either.
    umask(0o077)
    do throws(AuthorityFault) {
      if let authority = try own(configuration) {
        return AuthoritySource(
          authority: authority, file: nil, isNew: false, warnings: authority.warnings(at: Int64(time(nil))))
      }
      return AuthoritySource(
        try CertificateAuthority.loadOrMake(directory: configuration.stateDirectory),
        directory: configuration.stateDirectory)
    } catch {
      throw fault(error)
    }
  }

  /// Makes a new one in the state directory; the old files stay there under the date.
  static func rotate(_ configuration: Configuration) throws(CommandFault) -> AuthoritySource {
    guard configuration.authority.certificate == nil else {
      throw .failed(
        .configuration,
        "the configuration names its own authority: replace the files that authority.certificate and authority.key name"
      )
    }
    umask(0o077)
    do throws(AuthorityFault) {
      return AuthoritySource(
        try CertificateAuthority.rotate(directory: configuration.stateDirectory),
        directory: configuration.stateDirectory)
    } catch {
      throw fault(error)
    }
  }

  /// What devices are to trust: the root, where the authority is an intermediate and its root is known.
  var deviceCertificate: Certificate {
    authority.certificate.isSelfIssued
      ? authority.certificate : authority.issuers.last(where: \.isSelfIssued) ?? authority.certificate
  }

  var publicAuthority: PublicAuthority {
    let certificate = deviceCertificate
    return PublicAuthority(
      name: certificate.commonName ?? certificate.subject, der: certificate.der, pem: certificate.pem,
      fingerprint: certificate.fingerprint, hash: certificate.oldSubjectHash)
  }

  private init(_ loaded: LoadedAuthority, directory: String) {
    self.init(
      authority: loaded.authority, file: "\(directory)/authority.pem", isNew: loaded.isNew, warnings: loaded.warnings)
  }

  private init(authority: CertificateAuthority, file: String?, isNew: Bool, warnings: [String]) {
    self.authority = authority
    self.file = file
    self.isNew = isNew
    self.warnings = warnings
  }

  private static func own(_ configuration: Configuration) throws(AuthorityFault) -> CertificateAuthority? {
    guard let certificate = configuration.authority.certificate, let key = configuration.authority.key else {
      return nil
    }
    return try CertificateAuthority(certificate: certificate, key: key, issuers: configuration.authority.chain)
  }

  private static func fault(_ fault: AuthorityFault) -> CommandFault {
    switch fault {
    case .system(_, _, let code, _):
      .failed(code == EACCES || code == EPERM ? .noPermission : .cannotCreate, "\(fault)")
    case .file, .keyMissing, .keyMismatch, .notAnAuthority: .failed(.configuration, "\(fault)")
    case .failed: .failed(.internalFault, "\(fault)")
    }
  }
}
