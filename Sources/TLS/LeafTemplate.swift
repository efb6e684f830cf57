import COpenSSL

/// A leaf certificate for servers with everything in it but what differs from host to host.
///
/// Duplicating it and filling in the rest costs less than building each leaf anew.
public final class LeafTemplate: Sendable {
  /// For no host. It is signed only because OpenSSL duplicates nothing else.
  private let model: Certificate
  private let signer: PrivateKey

  /// For leaves of `key`, signed by `issuer` with `issuerKey`.
  public init(key: PrivateKey, issuer: Certificate, issuerKey: PrivateKey) throws(OpenSSLError) {
    let usage: CertificateDraft.KeyUsage =
      key.facts.kind == .rsa ? [.digitalSignature, .keyEncipherment] : [.digitalSignature]
    let draft = CertificateDraft(
      commonName: nil, role: .leaf, keyUsage: usage, purposes: [.serverAuthentication], notBefore: 0, notAfter: 0)
    model = try draft.signed(for: key, by: issuer, issuerKey)
    signer = issuerKey
  }

  /// Makes the leaf for one name. `commonName` nil: an empty subject. Times in seconds since 1970.
  public func leaf(
    for name: CertificateDraft.AlternativeName, commonName: String?, serial: [UInt8], notBefore: Int64, notAfter: Int64
  ) throws(OpenSSLError) -> Certificate {
    OpenSSLError.clear()
    guard let x509 = X509_dup(model.pointer) else { throw OpenSSLError.take() }
    guard commonName.map({ CertificateDraft.add($0, to: X509_get_subject_name(x509)) }) ?? true,
      CertificateDraft.set(serial, notBefore, notAfter, in: x509),
      CertificateDraft.set([name], isCritical: commonName == nil, in: x509),
      X509_sign(x509, signer.pointer, signer.signingHash) > 0
    else {
      X509_free(x509)
      throw OpenSSLError.take()
    }
    return Certificate(adopting: x509)
  }
}
