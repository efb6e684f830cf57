import Names
import Policy

/// What an origin answered to which offer, and what follows from that for other offers without another handshake.
///
/// An origin takes the highest version that both sides speak (RFC 8446, section 4.2.1; RFC 5246, appendix E.1), and what is taken away
/// from an offer without having been chosen changes nothing.
struct OfferBook {
  private(set) var entries: [(offer: HandshakeOffer, sighting: Sighting)] = []

  /// What the origin took of the suites that nobody speaks any more.
  var legacy: LegacyHello.Answer?

  mutating func note(_ sighting: Sighting, for offer: HandshakeOffer) {
    entries.append((offer, sighting))
  }

  /// What the origin answers to an offer; nil: only a handshake can tell.
  func answer(to offer: HandshakeOffer) -> Sighting? {
    if let known = entries.first(where: { $0.offer == offer }) { return known.sighting }
    for entry in entries {
      if let derived = Self.derive(offer, from: entry.offer, entry.sighting) { return derived }
    }
    return nil
  }

  private static func derive(_ offer: HandshakeOffer, from known: HandshakeOffer, _ sighting: Sighting) -> Sighting? {
    if sighting.saysAll { return sighting }
    guard offer.signatureAlgorithms == known.signatureAlgorithms else { return nil }
    guard let facts = sighting.facts else {
      // An origin that takes none of much takes none of less.
      return offer.isPart(of: known) ? sighting : nil
    }
    if facts.version == .v13, offer.maximum >= .v13 { return sighting }
    if offer.maximum == known.maximum, facts.version < offer.minimum {
      return .refusing(.versionMismatch, of: sighting)
    }
    guard offer.permits(facts.version, facts.cipherSuite) else { return nil }
    let isLess = offer.isPart(of: known)
    // Lower versions beside the one that was chosen are not chosen.
    let hasOnlyOlder = offer.maximum == known.maximum && offer.suites == known.suites
    return isLess || hasOnlyOlder ? sighting : nil
  }

  /// Whether it took none of the suites of any system, with and without forward secrecy.
  ///
  /// - Parameter minimum: the lowest version that was offered with them, or a higher one.
  func hasRefused(_ minimum: TLSVersion) -> Bool {
    let every = Set(ATSRequirements.unrestricted(os: OSVersion(major: 18, minor: 4)).cipherSuites)
    return entries.contains { offer, sighting in
      guard sighting.facts == nil, offer.minimum <= minimum else { return false }
      return every.subtracting(offer.suites).allSatisfy { $0.hasPrefix("ECDHE") || $0.hasSuffix("SHA256") }
    }
  }

  /// What shows most of the origin: a handshake in which it presented a certificate, of those the one with the widest offer.
  var widest: Sighting? {
    entries.filter { $0.sighting.facts != nil }
      .max { ($0.offer.suites.count, $1.offer.minimum.rawValue) < ($1.offer.suites.count, $0.offer.minimum.rawValue) }?
      .sighting
  }
}

extension Sighting {
  /// No other offer would be answered otherwise.
  var saysAll: Bool {
    switch failure {
    case .unreachable, .noTLS: true
    case .refused: facts == nil && clientCertificate == nil
    case .handshake, .unwelcome, nil: false
    }
  }

  /// An answer that was not asked for, since it is known.
  static func refusing(_ fault: HandshakeFault, of other: Sighting) -> Sighting {
    var sighting = Sighting()
    sighting.address = other.address
    sighting.failure = .handshake(fault)
    return sighting
  }
}
