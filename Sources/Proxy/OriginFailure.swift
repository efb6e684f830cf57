import Policy
import Records

/// Why an origin could not be used, and what was learnt of it before.
struct OriginFailure: Error {
  var refusal: Refusal
  /// What ATS said, if it came to that.
  var ats: ATSVerdict?
  /// Where the connection went, with the facts of its handshake.
  var origin: ExchangeRecord.Origin?
  var timing = DialTiming()
  /// The trust of the origin failed, so that `onTrustFailure` decides what the client sees.
  var isTrustFailure = false
  /// The alert that ended its handshake.
  var alert: UInt8?
  /// The origin was offered HTTP/1.1 alone and wants something else (the alert no_application_protocol of RFC 7301).
  var refusesHTTP1 = false
}

extension OriginFailure {
  /// The failure with the reason that a probe found; nil: it found none.
  func explained(by verdict: TrustVerdict?) -> OriginFailure {
    guard let verdict, let refusal = verdict.refusal else { return self }
    var failure = self
    failure.ats = verdict.ats
    failure.refusal = refusal
    failure.origin?.pins = verdict.pins
    return failure
  }
}

/// How long the phases of a dial took, in nanoseconds; nil where a phase was not reached.
struct DialTiming {
  var dns: UInt64?
  var connect: UInt64?
  var tls: UInt64?
}
