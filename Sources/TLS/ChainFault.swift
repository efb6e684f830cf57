/// What is wrong with a certificate path; `depth` 0 is the leaf.
public enum ChainFault: Sendable, Hashable {
  /// No path to an anchor: the issuer of the last certificate is unknown, or its root is not trusted.
  case unknownRoot
  /// The leaf signed itself and is no anchor.
  case selfSigned
  case expired(depth: Int)
  case notYetValid(depth: Int)
  /// The certificate is not for this host.
  case nameMismatch
  /// Extended key usage without serverAuth, or key usage that no TLS server can work with.
  case wrongPurpose(depth: Int)
  /// Not a CA, path length exceeded, name constraints.
  case invalidAuthority(depth: Int)
  case badSignature(depth: Int)
  /// Anything else, in OpenSSL's words.
  case other(String)
}
