public import TLS

/// Why there is no local authority. Each text says what to do.
public enum AuthorityFault: Error, Equatable, Sendable, CustomStringConvertible {
  /// A call to the system failed on a file or folder; `code` is its errno.
  case system(call: String, path: String, code: Int32, reason: String)
  /// A file is not what it should be.
  case file(path: String, TLSFileFault)
  /// There is a certificate but no key.
  case keyMissing(path: String)
  /// The key belongs to another certificate.
  case keyMismatch
  /// The certificate may not sign others.
  case notAnAuthority(subject: String)
  /// OpenSSL could not do it; its words.
  case failed(String)

  public var description: String {
    switch self {
    case .system(let call, let path, _, let reason): "\(path): \(call): \(reason)"
    case .file(let path, let fault): "\(path): \(fault)"
    case .keyMissing(let path):
      "\(path) is missing, but its certificate is there: put the key back, or move the certificate away to get a new authority"
    case .keyMismatch:
      "the authority's key does not belong to its certificate: put the right one back, or move both away to get a new authority"
    case .notAnAuthority(let subject):
      "the certificate \"\(subject)\" may not sign others: it needs basicConstraints CA:TRUE and key usage keyCertSign"
    case .failed(let reason): "the authority could not be made: \(reason)"
    }
  }
}
