import Policy
import TLS

extension Policy.SignedTimestamp {
  /// What came with a certificate, as policies see it.
  public init(_ timestamp: TLS.SignedTimestamp) {
    self.init(
      source: Source(timestamp.source), logID: timestamp.logID, milliseconds: timestamp.milliseconds,
      signature: Signature(timestamp.signature))
  }
}

extension Policy.SignedTimestamp.Source {
  fileprivate init(_ source: TLS.SignedTimestamp.Source) {
    switch source {
    case .certificate: self = .certificate
    case .handshake: self = .handshake
    case .staple: self = .staple
    }
  }
}

extension Policy.SignedTimestamp.Signature {
  fileprivate init(_ signature: TLS.SignedTimestamp.Signature) {
    switch signature {
    case .valid: self = .valid
    case .invalid: self = .invalid
    case .unknownLog: self = .unknownLog
    case .unchecked: self = .unchecked
    }
  }
}

extension StapledStatus {
  /// A stapled response, as policies see it.
  public init(_ staple: OCSPStaple) {
    switch staple {
    case .good(let period): self = .good(begin: period.begin, end: period.end)
    case .revoked(let moment, let reason, let period):
      self = .revoked(at: moment, reason: reason, begin: period.begin, end: period.end)
    case .unusable(let why): self = .unusable(why)
    }
  }
}
