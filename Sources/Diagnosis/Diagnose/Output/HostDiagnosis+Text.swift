import Names
import Policy

extension HostDiagnosis {
  /// nil: no certificate was seen.
  public var pins: PinFormats? {
    peer.map { peer in
      let chain = peer.facts.evaluation.chain
      return PinFormats(chain.isEmpty ? peer.facts.presented : chain, host: target.exceptionKey)
    }
  }
}

extension CertificateFacts {
  /// `RSA 2048`.
  var keyDescription: String {
    switch keyKind {
    case .rsa: "RSA \(keyBits)"
    case .ec: "EC \(keyBits)"
    case .ed25519: "Ed25519"
    case .other(let name): "\(name.prefix(40)) \(keyBits)"
    }
  }
}

extension RedirectTrail.End {
  /// A sentence.
  var text: String {
    switch self {
    case .reached: "The last answer leads nowhere else."
    case .blocked: "App Transport Security would not follow."
    case .loop: "It leads back to an address that was there before."
    case .limit: "It goes on after \(RedirectTrail.limit) addresses."
    case .failed: "The last address could not be followed."
    }
  }
}

extension HandshakeNote {
  /// One line.
  var text: String {
    let offered =
      "\(offer.minimum.name) to \(offer.maximum.name)"
      + (offer.suites.isEmpty ? "" : ", \(offer.suites.count) older suites")
    let chosen = [version.map { "\($0.name), \(suite ?? "")" }, failure].compactMap { $0 }.joined(separator: "; ")
    return "\(offered): \(chosen)"
  }
}
