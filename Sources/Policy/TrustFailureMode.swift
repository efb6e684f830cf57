/// What the device sees when its origin is refused (contract, section 3: `onTrustFailure`).
public enum TrustFailureMode: String, Sendable {
  /// The handshake completes with our leaf and every request is answered with the refusal.
  case respond
  /// The handshake fails, as it would without the proxy.
  case refuse
}
