/// The hash inside a certificate's signature.
public enum SignatureHash: String, Sendable, Hashable {
  case md5, sha1, sha224, sha256, sha384, sha512
  /// A scheme with a fixed, strong hash inside (Ed25519, Ed448).
  case intrinsic
  case unknown
}
