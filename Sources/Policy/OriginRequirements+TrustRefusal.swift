import Names

/// The words for what certificate trust or a pin refuses about an origin.
extension OriginRequirements {
  /// nil: accepted.
  func refusal(of outcome: AFEvaluation.Outcome, _ policy: TrustPolicy, _ facts: PeerFacts) -> Refusal? {
    switch outcome {
    case .accepted: return nil
    case .untrusted(let faults): return refusal(of: faults, facts.evaluation)
    case .contradictory:
      return trustRefusal(
        "Certificate trust: \(policy.place) contradicts itself",
        "\(policy.place) accepts invalid certificates and wants the name validated, but pins no certificate that could vouch for "
          + "\(place); AFSecurityPolicy refuses that. Pin a certificate (pinning and certificates), or take "
          + "allowInvalidCertificates away.")
    case .nothingPinned:
      return trustRefusal(
        "A pin is missing: \(policy.place) has no certificates",
        "\(policy.place) pins by \(policy.pinning.rawValue) but has no certificates, so no origin can match. Add the "
          + "certificate of \(place), or set pinning to none.")
    case .notAnchoredInPins(let faults):
      let cause = refusal(of: faults, facts.pinnedEvaluation ?? facts.evaluation).detail
      return trustRefusal(
        "A pin refuses the origin's certificate",
        "The chain of \(place) is not valid against the certificates of \(policy.place) alone. "
          + cause)
    case .notPinned:
      return pinRefusal(place: policy.place, count: policy.certificates.count, chain: facts.evaluation.chain)
    case .notWhollyPinned:
      return trustRefusal(
        "A pin refuses the origin's certificate",
        "Not every certificate of the chain of \(place) is pinned by \(policy.place), as validatesCertificateChain asks. "
          + seen(facts.evaluation.chain))
    }
  }

  func pinRefusal(place pins: String, count: Int, chain: [CertificateFacts]) -> Refusal {
    trustRefusal(
      "A pin refuses the origin's certificate",
      "No certificate in the chain of \(place) matches \(count == 1 ? "the one pin" : "one of the \(count) pins") of \(pins)"
        + "\(rule). \(seen(chain)) If the origin changed its key on purpose, pin the new one.")
  }

  func pinnedDomainsRefusal(_ pinned: PinnedIdentities, chain: [CertificateFacts]) -> Refusal {
    let lists = [
      pinned.leaf.map { "\($0.count) in NSPinnedLeafIdentities" },
      pinned.ca.map { "\($0.count) in NSPinnedCAIdentities" },
    ].compactMap { $0 }.joined(separator: ", ")
    return trustRefusal(
      "A pin refuses the origin's certificate",
      "The chain of \(place) does not match the pins of NSPinnedDomains (\(lists)). \(seen(chain)) "
        + "If the origin changed its key on purpose, the app's Info.plist must change too.")
  }

  private func refusal(of faults: TrustFaults, _ evaluation: ChainEvaluation) -> Refusal {
    if let fault = faults.worst { return refusal(of: fault, evaluation) }
    return refusal(of: faults.policy.first, evaluation)
  }

  /// nil: nobody knows what is wrong.
  func refusal(of fault: SSLPolicyFault?, _ evaluation: ChainEvaluation) -> Refusal {
    switch fault {
    case .weakKey(let depth):
      let key = evaluation.chain.indices.contains(depth) ? evaluation.chain[depth].keyText : "unknown kind"
      return trustRefusal(
        "Certificate trust: a key is too weak",
        "\(certificate(at: depth, in: evaluation)) has a key of \(key); certificate trust asks for RSA 2048 or EC 256 at least in "
          + "the whole chain.")
    case .weakSignature(let depth):
      return trustRefusal(
        "Certificate trust: a signature is too weak",
        "\(certificate(at: depth, in: evaluation)) is signed with \(hash(at: depth, in: evaluation)); certificate trust accepts "
          + "neither SHA-1 nor MD5.")
    case .namesNoServers:
      return trustRefusal(
        "Certificate trust: a certificate has another purpose",
        "\(certificate(at: 0, in: evaluation)) does not name serverAuth in its extended key usage, which certificate trust asks for. "
          + "Let the authority issue one that does.")
    case .livesTooLong(let days, let limit):
      return trustRefusal(
        "Certificate trust: the certificate lives too long",
        "\(certificate(at: 0, in: evaluation)) is valid for \(days) days; certificate trust accepts \(limit) at most. Let the "
          + "authority issue one with a shorter life.")
    case nil:
      return trustRefusal("Certificate trust refuses the origin", "The certificate of \(place) is refused.")
    }
  }

  func refusal(of fault: ChainFault, _ evaluation: ChainEvaluation) -> Refusal {
    let anchors = trust.map { "\($0.place).anchors" } ?? "the anchors of a trust policy"
    switch fault {
    case .unknownRoot:
      return trustRefusal(
        "Certificate trust: the origin's root is unknown",
        "No path leads from \(certificate(at: 0, in: evaluation)) to a trusted root; its issuer is "
          + "\"\(Self.excerpt(evaluation.chain.last?.issuer ?? ""))\". Let the origin send its intermediates, or add the root to "
          + "\(anchors) if you trust it.",
        error: .serverCertificateHasUnknownRoot)
    case .selfSigned:
      return trustRefusal(
        "Certificate trust: the origin's certificate is self-signed",
        "\(certificate(at: 0, in: evaluation)) signed itself and is no trusted root. If it is the right one, add it to \(anchors)."
      )
    case .expired(let depth):
      return trustRefusal(
        "Certificate trust: a certificate has expired",
        "\(certificate(at: depth, in: evaluation)) expired on \(day(at: depth, in: evaluation, \.notAfter)). Renew it at the origin, "
          + "and look at this machine's clock.",
        error: .serverCertificateHasBadDate)
    case .notYetValid(let depth):
      return trustRefusal(
        "Certificate trust: a certificate is not valid yet",
        "\(certificate(at: depth, in: evaluation)) is not valid before \(day(at: depth, in: evaluation, \.notBefore)). Look at the "
          + "clocks of this machine and of the authority.",
        error: .serverCertificateNotYetValid)
    case .nameMismatch:
      return trustRefusal(
        "Certificate trust: the certificate is for another name",
        "\(certificate(at: 0, in: evaluation)) is not for \(host.bracketed): none of its subject alternative names matches. Let the "
          + "authority issue one that names the host.")
    case .wrongPurpose(let depth):
      return trustRefusal(
        "Certificate trust: a certificate has another purpose",
        "\(certificate(at: depth, in: evaluation)) is not meant for servers: its extended key usage does not have serverAuth."
      )
    case .invalidAuthority(let depth):
      return trustRefusal(
        "Certificate trust: an issuer may not issue",
        "\(certificate(at: depth, in: evaluation)) may not issue the certificate below it: it is no authority, or its limits "
          + "forbid it.")
    case .badSignature(let depth):
      return trustRefusal(
        "Certificate trust: a signature is wrong",
        "The signature of \(certificate(at: depth, in: evaluation)) is not valid.")
    case .revoked(let circumstances):
      return trustRefusal(
        "Certificate trust: the certificate was revoked",
        "The status that \(place) itself sends says that \(certificate(at: 0, in: evaluation)) was revoked "
          + "\(Self.excerpt(circumstances).clause). Give the origin a new certificate.")
    case .stapleMissing(let why):
      return trustRefusal(
        "Certificate trust: the certificate's status is missing",
        "\(certificate(at: 0, in: evaluation)) asks its server to staple a good status (OCSP must-staple, RFC 7633): "
          + "\(Self.excerpt(why).clause). Let the origin staple its OCSP response.")
    case .other(let text):
      return trustRefusal(
        "Certificate trust refuses the origin's certificate",
        "The chain of \(place) is not valid: \(Self.excerpt(text).clause).")
    }
  }

  func trustRefusal(
    _ title: String, _ detail: String, error: NSURLError = .serverCertificateUntrusted
  ) -> Refusal {
    Refusal(
      status: 502, error: error, proxyError: .tlsCertificateError, decidedBy: .trust, title: title,
      detail: detail.capitalisedSentence)
  }
}
