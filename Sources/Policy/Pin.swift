import Bytes

/// A pinned public key: the SHA-256 of its DER SubjectPublicKeyInfo.
public struct Pin: Sendable, Hashable, CustomStringConvertible {
  /// 32 bytes.
  public let digest: [UInt8]

  /// Reads `sha256/BASE64` (OkHttp, Chromium) and `sha256//BASE64` (curl); nil unless exactly 32 bytes come out.
  public init?(_ text: String) {
    let prefix = "sha256/"
    guard text.hasPrefix(prefix) else { return nil }
    let rest = text.dropFirst(prefix.count)
    // A digest may itself begin with a slash; its length tells the two spellings apart.
    let encoded = rest.utf8.count == 45 && rest.hasPrefix("/") ? rest.dropFirst() : rest
    guard let digest = Base64.decode(String(encoded)), digest.count == 32 else { return nil }
    self.digest = digest
  }

  /// The pin of this certificate's key.
  public init(of certificate: CertificateFacts) { digest = certificate.spkiDigest }

  /// `sha256/BASE64`, whichever way it was written.
  public var text: String { Self.text(of: digest) }

  public var description: String { text }

  static func text(of digest: [UInt8]) -> String { "sha256/" + Base64.encode(digest) }
}
