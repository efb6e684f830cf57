/// What the device sees when its origin is refused (contract, section 3: `onTrustFailure`).
public enum TrustFailureMode: String, Sendable { case respond, refuse }
