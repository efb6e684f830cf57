/// Why an identity is not shown to an origin that asks for a certificate. In the order in which it is looked for.
public enum IdentityObjection: Sendable, Hashable {
  /// No issuer in its chain is among the authorities that the origin named.
  case issuer
  /// Its key cannot sign in a way that the origin takes.
  case key
  /// Its extended key usage has neither clientAuth nor anyExtendedKeyUsage.
  case purpose
  /// It has expired, at this moment in seconds since 1970.
  case expired(Int64)
  /// It is not valid before this moment in seconds since 1970.
  case notYetValid(Int64)
  /// OpenSSL refuses it.
  case unusable
}
