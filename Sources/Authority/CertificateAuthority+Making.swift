import Glibc
import TLS

extension CertificateAuthority {
  private static let day: Int64 = 86_400

  /// Makes the certificate of a new authority for `key`: a root for ten years that can sign leaves only.
  ///
  /// The name ends in a part of the key's digest, so that two authorities on one device can be told apart, and one key always
  /// gets the same name.
  static func makeCertificate(for key: PrivateKey, now: Int64) throws(AuthorityFault) -> Certificate {
    let unique = key.spkiDigest.prefix(4).map { hexadecimal($0) }.joined()
    // Back-dated like the leaves, which may not begin before it: clocks of devices differ.
    let draft = CertificateDraft(
      commonName: "pinwarden \(machineName()) \(unique) CA", role: .authority(pathLength: 0),
      keyUsage: [.certificateSigning, .revocationListSigning], notBefore: now - 2 * day, notAfter: now + 3652 * day)
    do {
      return try draft.selfSigned(with: key)
    } catch {
      throw .failed(error.description)
    }
  }

  /// The first label of the machine's name, shortened to what is safe in a subject.
  private static func machineName() -> String {
    var buffer = [CChar](repeating: 0, count: 256)
    guard gethostname(&buffer, buffer.count - 1) == 0 else { return "proxy" }
    let name = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    let label = name.prefix { $0 != UInt8(ascii: ".") }.prefix(24).filter { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
        true
      default: false
      }
    }
    return label.isEmpty ? "proxy" : String(decoding: label, as: UTF8.self)
  }

  static func hexadecimal(_ byte: UInt8) -> String {
    (byte < 16 ? "0" : "") + String(byte, radix: 16)
  }
}
