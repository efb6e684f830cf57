import COpenSSL

/// What a log signs for a certificate, but for timestamp and extensions: `entry_type` and `signed_entry` of RFC 6962 section 3.2.
struct LogEntry {
  let bytes: [UInt8]

  init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// A certificate as it is, whose timestamps came beside it.
  init(_ certificate: Certificate) {
    bytes = [0, 0] + Self.vector(certificate.der)
  }

  /// A certificate with timestamps inside, as it was before they were put there; nil when it has none.
  init?(precertificateOf certificate: Certificate, issuer: Certificate) {
    guard let content = LibraryBytes.encoded(by: { copenssl_precertificate(certificate.pointer, $0) }) else {
      return nil
    }
    bytes = [0, 1] + issuer.spkiDigest + Self.vector(content)
  }

  /// With a length of three bytes. Certificates are far below 16 MiB: handshakes and files are bounded.
  private static func vector(_ content: [UInt8]) -> [UInt8] {
    let count = content.count
    return [
      UInt8(truncatingIfNeeded: count >> 16), UInt8(truncatingIfNeeded: count >> 8), UInt8(truncatingIfNeeded: count),
    ] + content
  }
}
