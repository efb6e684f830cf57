/// What a policy asks about a key.
public struct KeyFacts: Sendable, Hashable {
  /// The family of a key.
  public enum Kind: Sendable, Hashable {
    case rsa, ec, ed25519
    /// Another family, in OpenSSL's words.
    case other(String)
  }

  public let kind: Kind
  /// The size: of the modulus, or of the curve's order.
  public let bits: Int

  public init(kind: Kind, bits: Int) {
    self.kind = kind
    self.bits = bits
  }

  /// Below what Apple's SSL policy takes: RSA under 2048 bits, elliptic curves under 256.
  public var isWeak: Bool {
    switch kind {
    case .rsa: bits < 2048
    case .ec: bits < 256
    case .ed25519: false
    case .other: bits < 2048
    }
  }
}
