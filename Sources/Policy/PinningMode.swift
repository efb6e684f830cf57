/// What a trust policy's certificates are compared with (AFSecurityPolicy's `AFSSLPinningMode`).
public enum PinningMode: String, Sendable, Hashable, CaseIterable {
  /// Nothing is compared; the system's validation decides.
  case none
  /// One key of the origin's chain equals a pinned certificate's key.
  case publicKey
  /// The chain leads to a pinned certificate and contains one, byte for byte.
  case certificate
}
