import COpenSSL

@testable import TLS

/// A log of Certificate Transparency of the tests' own, which promises whatever it is asked to.
struct TestLog {
  struct Fault: Error {}

  let key: PrivateKey
  let publicKey: TransparencyLogKey

  init(_ kind: PrivateKey.Kind = .p256) throws {
    key = try PrivateKey.generate(kind)
    let pointer = key.pointer
    publicKey = try TransparencyLogKey(spki: LibraryBytes.encoded { i2d_PUBKEY(pointer, $0) } ?? [])
  }

  /// A timestamp of version 1 as it is sent (RFC 6962 section 3.2).
  func timestamp(_ entry: LogEntry, at milliseconds: UInt64, extensions: [UInt8] = []) throws -> [UInt8] {
    let time = (0..<8).map { UInt8(truncatingIfNeeded: milliseconds >> (56 - 8 * UInt64($0))) }
    let tail = Self.vector(extensions)
    let signature = try sign([0, 0] + time + entry.bytes + tail)
    let scheme: [UInt8] = key.facts.kind == .rsa ? [4, 1] : [4, 3]
    return [0] + publicKey.logID + time + tail + scheme + Self.vector(signature)
  }

  /// A `SignedCertificateTimestampList`.
  static func list(_ timestamps: [[UInt8]]) -> [UInt8] {
    vector(timestamps.flatMap { vector($0) })
  }

  private static func vector(_ bytes: [UInt8]) -> [UInt8] {
    [UInt8(truncatingIfNeeded: bytes.count >> 8), UInt8(truncatingIfNeeded: bytes.count)] + bytes
  }

  private func sign(_ content: [UInt8]) throws -> [UInt8] {
    guard let context = EVP_MD_CTX_new() else { throw Fault() }
    defer { EVP_MD_CTX_free(context) }
    var signature = [UInt8](repeating: 0, count: 512)
    var count = signature.count
    guard EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key.pointer) == 1,
      EVP_DigestSign(context, &signature, &count, content, content.count) == 1
    else { throw Fault() }
    return Array(signature.prefix(count))
  }
}

extension TestAuthority {
  /// A leaf with timestamps of these logs inside, made for it as it was before.
  func leaf(_ name: String, loggedBy logs: [TestLog], at milliseconds: UInt64) throws -> Certificate {
    let plain = try leaf(.dns(name))
    // Without timestamps inside there is nothing to leave out.
    let content = LibraryBytes.encoded { i2d_re_X509_tbs(plain.pointer, $0) } ?? []
    let entry = LogEntry(content: content, issuer: certificate)
    let list = TestLog.list(try logs.map { try $0.timestamp(entry, at: milliseconds) })
    return try embed(list, in: plain)
  }

  func embed(_ list: [UInt8], in plain: Certificate) throws -> Certificate {
    guard let copy = X509_dup(plain.pointer), let timestamps = copenssl_timestamps_read(list, list.count) else {
      throw TestLog.Fault()
    }
    defer { SCT_LIST_free(timestamps) }
    let added = X509_add1_ext_i2d(copy, NID_ct_precert_scts, UnsafeMutableRawPointer(timestamps), 0, 0)
    let certificate = Certificate(adopting: copy)
    guard added == 1, X509_sign(copy, key.pointer, EVP_sha256()) > 0 else { throw TestLog.Fault() }
    return try Certificate(der: certificate.der)
  }
}

extension LogEntry {
  /// The entry for a certificate that is only planned.
  fileprivate init(content: [UInt8], issuer: Certificate) {
    let count = content.count
    self.init(
      bytes: [0, 1] + issuer.spkiDigest + [UInt8(count >> 16), UInt8(count >> 8 & 255), UInt8(count & 255)] + content)
  }
}
