public import TLS

/// A leaf for one host, made here, as TLS shows it to a client.
public struct MintedLeaf: Sendable {
  /// The leaf with what is sent after it, and the key. Its name is the host's text.
  public let identity: Identity
  /// Seconds since 1970.
  public let notBefore: Int64
  /// Seconds since 1970.
  public let notAfter: Int64
  /// From here on the cache makes a new one; seconds since 1970.
  public let renewal: Int64

  public var certificate: Certificate { identity.leaf }
  public var key: PrivateKey { identity.key }
  /// What is sent after the leaf: the authority and its issuers where it is no root.
  public var chain: [Certificate] { identity.chain }
  /// Differs from leaf to leaf: the fingerprint.
  public var id: [UInt8] { identity.leaf.fingerprint }
}
