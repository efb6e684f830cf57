/// An authority from the state directory, and what came up on the way.
public struct LoadedAuthority: Sendable {
  public let authority: CertificateAuthority
  /// Whether its certificate was made just now, so that devices do not know it yet.
  public let isNew: Bool
  /// Sentences for the operator: a key that others can read, a certificate that expires soon.
  public let warnings: [String]
}
