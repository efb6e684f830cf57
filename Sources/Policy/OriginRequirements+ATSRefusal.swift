import Names

/// The words for what App Transport Security refuses about an origin.
extension OriginRequirements {
  /// nil for trust, whose refusal is worded by the fault behind it.
  func refusal(of violation: ATSViolation, _ facts: PeerFacts) -> Refusal? {
    let negotiated = "The origin \(place) negotiated \(facts.cipherSuite.prefix(64))"
    switch violation {
    case .minimumTLS:
      return atsRefusal(
        violation, .tlsProtocolError, "App Transport Security refuses the origin's TLS version",
        "The origin \(place) negotiated \(facts.version.name), the policy asks for \(ats.offeredMinimum.name) or later",
        versionAdvice)
    case .forwardSecrecy:
      return atsRefusal(
        violation, .tlsProtocolError, "App Transport Security refuses a cipher suite without forward secrecy",
        "\(negotiated), the policy asks for forward secrecy", Self.secrecyAdvice)
    case .cipherSuite:
      return atsRefusal(
        violation, .tlsProtocolError, "App Transport Security refuses the origin's cipher suite",
        "\(negotiated), which \(offeringParty)", Self.suiteAdvice)
    case .extendedMasterSecret:
      return atsRefusal(
        violation, .tlsProtocolError, "App Transport Security refuses a session without extended master secret",
        "The origin \(place) negotiated \(facts.version.name) without the extended master secret that \(niapPlace) asks for",
        "Enable the extended master secret (RFC 7627) or TLS 1.3 at the origin.")
    case .signatureAlgorithm:
      return atsRefusal(
        violation, .tlsCertificateError, "App Transport Security refuses the signature of the origin's certificate",
        "\(certificate(at: 0, in: facts.evaluation)) is signed with \(hash(at: 0, in: facts.evaluation)), which "
          + "\(niapPlace) does not offer", "Let the authority issue it anew with SHA-256 or stronger.")
    case .keySize:
      return atsRefusal(
        violation, .tlsCertificateError, "App Transport Security refuses the key of the origin's certificate",
        "The certificate of \(place) has a key of \(facts.evaluation.chain.first?.keyText ?? "an unknown kind"), the policy asks "
          + "for RSA 2048 or EC 256 at least", "Give the origin a certificate with a stronger key.")
    case .signatureHash(let depth):
      return atsRefusal(
        violation, .tlsCertificateError, "App Transport Security refuses the signature of the origin's certificate",
        "\(certificate(at: depth, in: facts.evaluation)) is signed with \(hash(at: depth, in: facts.evaluation)), the policy "
          + "asks for SHA-256 at least", "Let the authority issue it anew.")
    case .trust: return nil
    }
  }

  /// A handshake that failed where ATS narrows what is offered.
  func refusal(of violation: ATSViolation, _ fault: HandshakeFault) -> Refusal {
    if violation == .minimumTLS {
      return atsRefusal(
        violation, .tlsProtocolError, "App Transport Security refuses the origin's TLS version",
        "The origin \(place) speaks no version of TLS that the policy permits, \(versions) (\(fault.text))",
        versionAdvice)
    }
    let kind = violation == .forwardSecrecy ? " with forward secrecy" : ""
    return atsRefusal(
      violation, .tlsProtocolError, "App Transport Security finds no cipher suite\(kind) at the origin",
      "The origin \(place) ended the handshake when it was offered the cipher suites\(kind) that the policy permits "
        + "(\(fault.text))", violation == .forwardSecrecy ? Self.secrecyAdvice : Self.suiteAdvice)
  }

  /// A handshake that failed for another reason.
  func refusal(of fault: HandshakeFault) -> Refusal {
    let offer = offer
    return Refusal(
      status: 502, error: .secureConnectionFailed, proxyError: .tlsProtocolError, decidedBy: .trust,
      title: "The TLS handshake with the origin failed",
      detail:
        "The TLS handshake with \(place) failed before a certificate was seen: \(fault.text.clause). It was offered "
        + "\(offer.minimum.name) to \(offer.maximum.name). Look at the origin's TLS settings.")
  }

  /// A refusal by certificate trust where ATS asks for trust: the device says that too.
  func naming(_ refusal: Refusal, _ violations: [ATSViolation]) -> Refusal {
    guard atsMode == .enforce, violations.contains(.trust), refusal.decidedBy == .trust else { return refusal }
    var named = refusal
    named.detail += " \(source(.trust).capitalisedSentence)."
    return named
  }

  private func atsRefusal(
    _ violation: ATSViolation, _ proxyError: ProxyErrorType, _ title: String, _ finding: String, _ advice: String
  ) -> Refusal {
    Refusal(
      status: 502, error: .secureConnectionFailed, proxyError: proxyError, decidedBy: .ats, title: title,
      detail: "\(finding) (\(source(violation))). \(advice)".capitalisedSentence)
  }

  /// Where a demand comes from, and what the app would find below its error.
  private func source(_ violation: ATSViolation) -> String {
    "App Transport Security, OS \(os), Secure Transport \(violation.code)"
  }

  /// `OS 18.4 does not speak under App Transport Security`, or the package that does not have the suite.
  private var offeringParty: String {
    ats.niap == nil ? "OS \(os) does not speak here" : "\(niapPlace) does not have"
  }

  private var niapPlace: String { "the NIAP package \"\((ats.niap ?? .recommended).rawValue)\"" }

  private var versions: String {
    ats.offeredMinimum == ats.offeredMaximum
      ? ats.offeredMinimum.name : "\(ats.offeredMinimum.name) to \(ats.offeredMaximum.name)"
  }

  private var versionAdvice: String {
    let profile = ATSProfile(os)
    let version = ats.offeredMinimum == ats.offeredMaximum ? ats.offeredMinimum.name : "a newer TLS version"
    // An exception cannot go below what the system speaks.
    return ats.offeredMinimum == profile.lowestTLS
      ? "Enable \(version) at the origin." : "Enable \(version) at the origin, or give the host \(ATSKey.minimumTLS)."
  }

  private static var secrecyAdvice: String {
    "Enable ECDHE suites at the origin, or give the host NSExceptionRequiresForwardSecrecy = NO if it knows RSA key exchange only."
  }

  private static var suiteAdvice: String { "Enable ECDHE suites with AES-GCM at the origin." }
}

extension HandshakeFault {
  /// A part of a sentence; bounded, since it may quote the other side.
  var text: String {
    switch self {
    case .versionMismatch: "no TLS version in common"
    case .noSharedCipher: "no cipher suite in common"
    case .alert(let number): "the origin sent TLS alert \(number)"
    case .other(let text): String(text.prefix(200))
    }
  }
}
