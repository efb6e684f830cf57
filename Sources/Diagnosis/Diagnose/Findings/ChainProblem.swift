import Policy
import TLS

/// Something about the certificates of an origin that its owner should know, whether or not it makes a row fail.
public struct ChainProblem: Sendable, Equatable {
  public enum Kind: String, Sendable {
    case missingIntermediate = "missing-intermediate"
    case wrongOrder = "wrong-order"
    case unrelatedCertificate = "unrelated-certificate"
    case rootSent = "root-sent"
    case expired
    case expiringSoon = "expiring-soon"
    case lifetime
  }

  public enum Level: String, Sendable { case error, warning, note }

  public let kind: Kind
  public let level: Level
  /// A sentence.
  public let detail: String
}
