import Configuration
import Names
import Policy

/// The decision about one request with everything that led to it.
struct Explanation: Sendable {
  /// As given.
  let url: String
  let lane: String
  let context: Context
  let method: String
  let isSecure: Bool
  let decision: Decision
  let atsMode: ATSMode
  let os: OSVersion
  /// How the origin would be reached; nil where it would not be.
  let route: OriginRoute?
  /// What the origin must satisfy; nil where pinwarden does not look at its TLS.
  let requirements: OriginRequirements?

  var isDenied: Bool { decision.action == .deny }

  /// How App Transport Security stands to the request before the origin is seen.
  var atsVerdict: String {
    if atsMode == .off { return "off" }
    if isSecure { return requirements == nil ? "off" : "pending" }
    if !decision.observedViolations.isEmpty { return "fail" }
    guard isDenied else { return "pass" }
    // A rule or the guards refused before ATS had its say.
    return decision.decidedBy == .ats ? "fail" : "off"
  }

  var violations: [String] {
    isDenied && decision.decidedBy == .ats && atsVerdict == "fail" ? ["cleartext"] : decision.observedViolations
  }

  /// The proxy on the way to the origin.
  var proxy: UpstreamProxy? {
    guard case .through(let proxy) = route else { return nil }
    return proxy
  }
}
