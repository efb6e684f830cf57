/// The promise of a log of Certificate Transparency to publish a certificate (an SCT, RFC 6962 section 3.2), as a fact.
public struct SignedTimestamp: Sendable, Hashable {
  /// How it came.
  public enum Source: Sendable, Hashable {
    /// Embedded in the certificate.
    case certificate
    /// In an extension of the handshake.
    case handshake
    /// In the stapled OCSP response.
    case staple
  }

  public enum Signature: Sendable, Hashable {
    case valid, invalid
    /// The key of its log is not known.
    case unknownLog
    /// Of a version that nobody knows, or of a certificate whose issuer is not known; also what comes after the first few.
    case unchecked
  }

  public var source: Source
  /// SHA-256 of the log's public key.
  public var logID: [UInt8]
  /// Milliseconds since 1970.
  public var milliseconds: UInt64
  public var signature: Signature

  public init(source: Source, logID: [UInt8], milliseconds: UInt64, signature: Signature) {
    self.source = source
    self.logID = logID
    self.milliseconds = milliseconds
    self.signature = signature
  }

  var isEmbedded: Bool { source == .certificate }
}
