import Names

/// The words for what App Transport Security refuses about an origin.
extension OriginRequirements {
  /// nil for trust, whose refusal is worded by the fault behind it.
  func refusal(of violation: ATSViolation, _ facts: PeerFacts) -> Refusal? {
    switch violation {
    case .minimumTLS:
      atsRefusal(
        .tlsProtocolError, "App Transport Security refuses the origin's TLS version",
        "The origin \(place) negotiated \(facts.version.name), the policy asks for \(ats.offeredMinimum.name) or later "
          + "(App Transport Security, OS \(os)). " + Self.versionAdvice)
    case .forwardSecrecy:
      atsRefusal(
        .tlsProtocolError, "App Transport Security refuses a cipher suite without forward secrecy",
        "The origin \(place) negotiated \(facts.cipherSuite.prefix(64)), the policy asks for forward secrecy "
          + "(App Transport Security, OS \(os)). " + Self.secrecyAdvice)
    case .cipherSuite:
      atsRefusal(
        .tlsProtocolError, "App Transport Security refuses the origin's cipher suite",
        "The origin \(place) negotiated \(facts.cipherSuite.prefix(64)), which OS \(os) does not speak under "
          + "App Transport Security. " + Self.suiteAdvice)
    case .keySize:
      atsRefusal(
        .tlsCertificateError, "App Transport Security refuses the key of the origin's certificate",
        "The certificate of \(place) has a key of \(facts.evaluation.chain.first?.keyText ?? "an unknown kind"), the policy asks "
          + "for RSA 2048 or EC 256 at least (App Transport Security). Give the origin a certificate with a stronger key."
      )
    case .signatureHash(let depth):
      atsRefusal(
        .tlsCertificateError, "App Transport Security refuses the signature of the origin's certificate",
        "\(certificate(at: depth, in: facts.evaluation)) is signed with \(hash(at: depth, in: facts.evaluation)), the policy "
          + "asks for SHA-256 at least (App Transport Security). Let the authority issue it anew.")
    case .trust: nil
    }
  }

  /// A handshake that failed where ATS narrows what is offered.
  func refusal(of violation: ATSViolation, _ fault: HandshakeFault) -> Refusal {
    if violation == .minimumTLS {
      return atsRefusal(
        .tlsProtocolError, "App Transport Security refuses the origin's TLS version",
        "The origin \(place) speaks no version of TLS that the policy permits, \(versions) (App Transport Security, OS \(os)"
          + "; \(fault.text)). " + Self.versionAdvice)
    }
    let kind = violation == .forwardSecrecy ? " with forward secrecy" : ""
    return atsRefusal(
      .tlsProtocolError, "App Transport Security finds no cipher suite\(kind) at the origin",
      "The origin \(place) ended the handshake when it was offered the cipher suites\(kind) that the policy permits "
        + "(App Transport Security, OS \(os); \(fault.text)). "
        + (violation == .forwardSecrecy ? Self.secrecyAdvice : Self.suiteAdvice))
  }

  /// A handshake that failed for another reason.
  func refusal(of fault: HandshakeFault) -> Refusal {
    let offer = offer
    return Refusal(
      status: 502, error: .secureConnectionFailed, proxyError: .tlsProtocolError, decidedBy: .trust,
      title: "The TLS handshake with the origin failed",
      detail: "The TLS handshake with \(place) failed before a certificate was seen: \(fault.text). It was offered "
        + "\(offer.minimum.name) to \(offer.maximum.name). Look at the origin's TLS settings.")
  }

  private func atsRefusal(_ proxyError: ProxyErrorType, _ title: String, _ detail: String) -> Refusal {
    Refusal(
      status: 502, error: .secureConnectionFailed, proxyError: proxyError, decidedBy: .ats, title: title,
      detail: detail.capitalisedSentence)
  }

  private var versions: String {
    ats.offeredMinimum == ats.offeredMaximum
      ? ats.offeredMinimum.name : "\(ats.offeredMinimum.name) to \(ats.offeredMaximum.name)"
  }

  private static var versionAdvice: String {
    "Enable a newer TLS version at the origin, or give the host NSExceptionMinimumTLSVersion."
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
