import TLS

/// `authority`: the local CA that signs what devices see.
public struct AuthoritySettings: Sendable {
  /// nil, with `key`: made at the first start and kept in the state directory.
  public internal(set) var certificate: Certificate?
  /// The certificates above it when it is no root.
  public internal(set) var chain: [Certificate] = []
  public internal(set) var key: PrivateKey?
  public internal(set) var leafLifetime = Duration.seconds(45 * 86_400)
  public internal(set) var leafKey = PrivateKey.Kind.p256
}
