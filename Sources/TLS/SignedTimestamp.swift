/// The promise of a log of Certificate Transparency to publish a certificate (an SCT, RFC 6962 section 3.2).
public struct SignedTimestamp: Sendable, Hashable {
  /// How it came.
  public enum Source: Sendable, Hashable {
    /// In the certificate itself.
    case certificate
    /// In the handshake, in an extension of its own.
    case handshake
    /// In the stapled OCSP response.
    case staple
  }

  public enum Signature: Sendable, Hashable {
    case valid
    case invalid
    /// The key of its log is not known.
    case unknownLog
    /// Of another version than 1, or a certificate whose issuer is not known; also what comes after the first few.
    case unchecked
  }

  public let source: Source
  /// SHA-256 of the log's public key; empty for an unknown version.
  public let logID: [UInt8]
  /// Milliseconds since 1970.
  public let milliseconds: UInt64
  public let signature: Signature

  public init(source: Source, logID: [UInt8], milliseconds: UInt64, signature: Signature) {
    self.source = source
    self.logID = logID
    self.milliseconds = milliseconds
    self.signature = signature
  }
}
