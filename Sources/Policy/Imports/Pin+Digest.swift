import Bytes

extension Pin {
  /// nil unless the digest has 32 bytes.
  public init?(digest: [UInt8]) {
    guard digest.count == 32 else { return nil }
    self.digest = digest
  }

  /// Base64 without a prefix, as TrustKit, Android and RFC 7469 write it; nil unless exactly 32 bytes come out.
  public init?(base64: String) {
    guard let digest = Base64.decode(base64) else { return nil }
    self.init(digest: digest)
  }

  /// Without the prefix.
  public var base64: String { Base64.encode(digest) }
}
