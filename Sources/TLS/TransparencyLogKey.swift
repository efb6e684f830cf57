import COpenSSL

/// The public key of a log of Certificate Transparency: P-256, or RSA of at least 2048 bits (RFC 6962 section 2.1.4).
public final class TransparencyLogKey: Sendable {
  /// The `EVP_PKEY`, one reference of which is owned here.
  ///
  /// Safe to share: nothing changes it once it is wrapped, and operations keep their state in contexts of their own.
  nonisolated(unsafe) private let pointer: OpaquePointer
  /// By what timestamps name the log: SHA-256 of the SubjectPublicKeyInfo.
  public let logID: [UInt8]

  /// - Parameter spki: a SubjectPublicKeyInfo in DER.
  public init(spki: [UInt8]) throws(TLSFileFault) {
    OpenSSLError.clear()
    let key = spki.withUnsafeBufferPointer { buffer -> OpaquePointer? in
      var position = buffer.baseAddress
      guard position != nil, let key = d2i_PUBKEY(nil, &position, buffer.count) else { return nil }
      guard let start = buffer.baseAddress, position == start + buffer.count else {
        EVP_PKEY_free(key)
        return nil
      }
      return key
    }
    guard let key else { throw .unreadable("it is no public key in DER: \(OpenSSLError.take())") }
    pointer = key
    logID = Digest.sha256(spki)
    let facts = KeyFacts(key)
    guard (facts.kind == .ec && facts.bits == 256) || (facts.kind == .rsa && facts.bits >= 2048) else {
      throw .unreadable("logs have a key of P-256, or RSA of 2048 bits and more")
    }
  }

  deinit {
    EVP_PKEY_free(pointer)
  }

  /// Whether the log made this timestamp, an `SCT` of version 1, for the entry.
  func hasSigned(_ timestamp: OpaquePointer, _ entry: LogEntry) -> Bool {
    defer { OpenSSLError.clear() }
    let scheme = facts.kind == .rsa ? NID_sha256WithRSAEncryption : NID_ecdsa_with_SHA256
    guard SCT_get_signature_nid(timestamp) == scheme else { return false }
    var signature: UnsafeMutablePointer<UInt8>?
    let count = SCT_get0_signature(timestamp, &signature)
    let content = Self.content(of: timestamp, entry)
    guard let signature, count > 0, let context = EVP_MD_CTX_new() else { return false }
    defer { EVP_MD_CTX_free(context) }
    return EVP_DigestVerifyInit(context, nil, Digest.sha256Algorithm, nil, pointer) == 1
      && EVP_DigestVerify(context, signature, count, content, content.count) == 1
  }

  private var facts: KeyFacts { KeyFacts(pointer) }

  /// `digitally-signed struct` of RFC 6962 section 3.2.
  private static func content(of timestamp: OpaquePointer, _ entry: LogEntry) -> [UInt8] {
    let milliseconds = SCT_get_timestamp(timestamp)
    var start: UnsafeMutablePointer<UInt8>?
    let count = SCT_get0_extensions(timestamp, &start)
    let extensions = UnsafeBufferPointer(start: start, count: start == nil ? 0 : count)
    // Version 1, signature of a certificate's timestamp.
    var content: [UInt8] = [0, 0]
    content.reserveCapacity(entry.bytes.count + 12 + extensions.count)
    for shift in stride(from: 56, through: 0, by: -8) {
      content.append(UInt8(truncatingIfNeeded: milliseconds >> UInt64(shift)))
    }
    content += entry.bytes
    content += [UInt8(truncatingIfNeeded: extensions.count >> 8), UInt8(truncatingIfNeeded: extensions.count)]
    content += extensions
    return content
  }
}
