import Names
import Policy

/// Judges what an origin showed under one dictionary, with the functions that judge live traffic. Pure.
struct RowJudge {
  let host: Host
  let port: UInt16
  let os: OSVersion

  /// What the dictionary asks of the origin; the system's trust, and no pins.
  func requirements(under dictionary: PropertyValue) -> OriginRequirements {
    OriginRequirements(
      host: host, port: port, atsMode: .enforce, os: os,
      ats: ATSPolicy(dictionary: dictionary, os: os).requirements(host: host, context: .app))
  }

  func offer(under dictionary: PropertyValue) -> HandshakeOffer {
    HandshakeOffer(requirements(under: dictionary))
  }

  /// Everything that keeps the origin from passing; nil: the book does not tell yet.
  func objections(to book: OfferBook, under dictionary: PropertyValue) -> [Objection]? {
    Self.objections(to: book, under: requirements(under: dictionary))
  }

  static func objections(to book: OfferBook, under requirements: OriginRequirements) -> [Objection]? {
    guard let sighting = book.answer(to: HandshakeOffer(requirements)) else { return nil }
    guard let facts = sighting.facts else { return objections(to: sighting, book, requirements) }
    let found = requirements.objections(to: facts)
    if case .refused(let refusal) = sighting.failure, found.isEmpty {
      return [Objection(name: refusal.objectionName, refusal: refusal)]
    }
    if case .handshake(let fault) = sighting.failure, found.isEmpty { return requirements.objections(to: fault) }
    return found
  }

  /// The origin ended the handshake without saying why; what it showed in another one may tell.
  private static func objections(
    to sighting: Sighting, _ book: OfferBook, _ requirements: OriginRequirements
  ) -> [Objection] {
    switch sighting.failure {
    case .unreachable(let refusal): return [Objection(name: "unreachable", refusal: refusal)]
    case .refused(let refusal): return [Objection(name: refusal.objectionName, refusal: refusal)]
    case .noTLS:
      return requirements.objections(to: .other("the origin does not speak TLS on this port")).map {
        Objection(name: "no-tls", refusal: $0.refusal)
      }
    case .handshake(let fault):
      if let facts = book.widest?.facts {
        let found = requirements.objections(to: facts)
        return found.first?.isAboutHandshake == true ? found : requirements.objections(to: fault)
      }
      // More suites did not help, so forward secrecy is not what it lacks.
      var relaxed = requirements
      relaxed.ats.forwardSecrecy = relaxed.ats.forwardSecrecy && !book.hasRefused(requirements.ats.offeredMinimum)
      return relaxed.objections(to: fault).map { $0.telling(of: book.legacy) }
    case .unwelcome, nil: return requirements.objections(to: .other("the origin showed no certificate"))
    }
  }
}

extension Objection {
  /// Not about the certificate.
  var isAboutHandshake: Bool {
    ["minimum-tls", "forward-secrecy", "cipher-suite", "extended-master-secret"].contains(name)
  }
}

extension Objection {
  /// With what the origin took when it was offered what nobody speaks any more.
  fileprivate func telling(of legacy: LegacyHello.Answer?) -> Objection {
    guard let legacy else { return self }
    var told = self
    told.refusal.detail +=
      " Offered old suites, it took \(legacy.suite) with \(legacy.version), which no system of Apple's speaks."
    return told
  }
}

extension Refusal {
  fileprivate var objectionName: String {
    switch error {
    case .clientCertificateRequired, .clientCertificateRejected: "client-certificate"
    case .timedOut: "timeout"
    default: "handshake"
    }
  }
}
