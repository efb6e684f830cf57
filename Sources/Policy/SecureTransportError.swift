/// The errors with which Secure Transport says which demand of App Transport Security an origin failed, by Apple's codes (spec A.10).
///
/// An app finds them below its `NSURLError`, as `_kCFStreamErrorCodeKey`.
public enum SecureTransportError: Int, Sendable, Hashable {
  case violation = -9880
  case minimumVersion = -9881
  case cipherSuite = -9882
  case minimumKeySize = -9883
  case leafCertificateHash = -9884
  case certificateHash = -9885
  case certificateTrust = -9886

  public var code: Int { rawValue }

  public var name: String {
    switch self {
    case .violation: "errSSLATSViolation"
    case .minimumVersion: "errSSLATSMinimumVersionViolation"
    case .cipherSuite: "errSSLATSCiphersuiteViolation"
    case .minimumKeySize: "errSSLATSMinimumKeySizeViolation"
    case .leafCertificateHash: "errSSLATSLeafCertificateHashAlgorithmViolation"
    case .certificateHash: "errSSLATSCertificateHashAlgorithmViolation"
    case .certificateTrust: "errSSLATSCertificateTrustViolation"
    }
  }
}

extension SecureTransportError: CustomStringConvertible {
  /// `-9881 errSSLATSMinimumVersionViolation`.
  public var description: String { "\(code) \(name)" }
}
