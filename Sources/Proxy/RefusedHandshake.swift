import Policy
import TLS

/// How the handshake of a device ends whose origin is refused under `onTrustFailure: refuse`: as near to what the device would have met
/// without the proxy as an end without a certificate can be.
///
/// A certificate that is bad in the same way is never minted: what it would prove is that our authority signs such. What comes in place of
/// the ServerHello is an alert. Those about certificates (42 to 49) are not among them: sent by a server they speak of the client's
/// certificate, and clients tell their users to look for one (RFC 8446, section 6.2).
enum RefusedHandshake: Equatable {
  /// This fatal alert, then the end of the stream.
  case alert(UInt8)
  /// A reset of TCP: the origin is not there, and whoever is not there says no word of TLS. The client has its tunnel already, so
  /// this is the one way to make it report the network and not trust.
  case reset
  /// None of the origin's doing, or nothing that its trust decides: the handshake completes, and the answer is told in HTTP.
  case none

  init(_ failure: OriginFailure) {
    if failure.isTrustFailure {
      self = .alert(Self.alert(for: failure))
    } else {
      self = Self.isAboutNetwork(failure.refusal.proxyError) ? .reset : .none
    }
  }

  private static func alert(for failure: OriginFailure) -> UInt8 {
    if failure.refusal.decidedBy == .ats { return alert(forViolation: failure.ats?.violations.first) }
    // The origin had no certificate to show: its own words are what the device would have heard.
    return failure.alert.flatMap { isFitForRelay($0) ? $0 : nil } ?? TLSAlert.handshakeFailure
  }

  /// By the names of `ATSVerdict.violations`.
  private static func alert(forViolation name: String?) -> UInt8 {
    switch name {
    case "minimum-tls": TLSAlert.protocolVersion
    case "key-size", "signature-hash": TLSAlert.insufficientSecurity
    // What an origin says itself when it has none of the suites that a device offers under App Transport Security.
    case "forward-secrecy", "cipher-suite": TLSAlert.handshakeFailure
    default: TLSAlert.handshakeFailure
    }
  }

  /// Fatal alerts that a server sends about itself. Not those about a client's certificate, for the device showed none.
  private static func isFitForRelay(_ alert: UInt8) -> Bool {
    switch alert {
    case TLSAlert.handshakeFailure, TLSAlert.protocolVersion, TLSAlert.insufficientSecurity, TLSAlert.internalError,
      TLSAlert.unrecognizedName:
      true
    default: false
    }
  }

  private static func isAboutNetwork(_ error: ProxyErrorType) -> Bool {
    switch error {
    case .dnsError, .dnsTimeout, .connectionRefused, .connectionTerminated, .connectionTimeout,
      .destinationUnroutable:
      true
    default: false
    }
  }
}

extension TLSFailure {
  /// The alert by which this handshake ended or, where this end found no common ground, the one that says so.
  var endingAlert: UInt8? {
    switch self {
    case .alert(let number): number
    case .versionMismatch: TLSAlert.protocolVersion
    case .noSharedCipher: TLSAlert.handshakeFailure
    case .refusedByJudge, .notTLS, .truncated, .lateCertificateRequest, .protocolError: nil
    }
  }
}
