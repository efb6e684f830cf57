/// What an origin said about the client certificates that it would take, as far as it is told to people. A plain value.
public struct CertificateDemand: Sendable, Hashable {
  /// More names are counted and not kept; an origin may send those of every authority that it knows.
  internal static let authorityLimit = 16

  /// The first names of acceptable authorities, on one line each and of at most 256 characters. Empty: any authority.
  public let authorities: [String]
  /// How many the origin named.
  public let authorityCount: Int
  /// The families of keys that can answer: `RSA`, `EC`, `Ed25519`, `Ed448`.
  public let keyKinds: [String]

  public init(authorities: [String], authorityCount: Int, keyKinds: [String]) {
    self.authorities = authorities
    self.authorityCount = authorityCount
    self.keyKinds = keyKinds
  }
}
