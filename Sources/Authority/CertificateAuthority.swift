public import TLS

/// The authority that signs the leaves which devices see. Immutable; the key never leaves the process.
public final class CertificateAuthority: Sendable {
  public let certificate: Certificate
  /// What leads from `certificate` to its root, for devices that trust only the root. Empty for a root.
  public let issuers: [Certificate]
  let key: PrivateKey

  /// Takes an authority of the operator's own.
  ///
  /// - Parameter issuers: intermediates above it, in order; needed when it is no root.
  public init(certificate: Certificate, key: PrivateKey, issuers: [Certificate] = []) throws(AuthorityFault) {
    guard key.matches(certificate) else { throw .keyMismatch }
    guard certificate.maySignCertificates else { throw .notAnAuthority(subject: certificate.subject) }
    self.certificate = certificate
    self.key = key
    self.issuers = issuers
  }

  /// What a client needs to get from a leaf to a root that it knows: nothing when this authority is that root.
  var chainForClients: [Certificate] {
    certificate.isSelfIssued ? [] : [certificate] + issuers.filter { !$0.isSelfIssued }
  }

  /// What the operator should know: the certificate expires soon, or has. `now` in seconds since 1970.
  public func warnings(at now: Int64) -> [String] {
    let days = (certificate.notAfter - now) / 86_400
    if certificate.notAfter <= now { return ["the authority \"\(certificate.subject)\" has expired"] }
    if certificate.notBefore > now { return ["the authority \"\(certificate.subject)\" is not valid yet"] }
    return days < 30 ? ["the authority \"\(certificate.subject)\" expires in \(days) days"] : []
  }
}
