import Names
import Policy
import TLS

extension RedirectTrail {
  func ending(_ end: End) -> RedirectTrail {
    var trail = self
    trail.end = end
    return trail
  }
}

extension OfferBook {
  /// Why nothing was heard of the origin.
  var obstacle: Refusal? {
    guard !entries.contains(where: \.sighting.wasReached) else { return nil }
    guard case .unreachable(let refusal)? = entries.first?.sighting.failure else {
      return .internalError(detail: "The origin was not looked at.")
    }
    return refusal
  }

  /// The handshake to show: one that the origin went through with, the first of them.
  var best: Sighting? {
    entries.lazy.map(\.sighting).first { $0.facts != nil && $0.negotiated != nil }
      ?? entries.lazy.map(\.sighting).first { $0.facts != nil }
  }
}

extension Sighting {
  /// It ended the handshake, and something else that it knows may tell why.
  var leavesQuestions: Bool {
    switch failure {
    case .handshake(.alert), .handshake(.noSharedCipher), .handshake(.versionMismatch): true
    default: false
    }
  }
}

extension HandshakeNote {
  init(_ offer: HandshakeOffer, _ sighting: Sighting) {
    let failure: String? =
      switch sighting.failure {
      case .unreachable(let refusal), .refused(let refusal): refusal.title
      case .handshake(let fault): fault.words
      case .noTLS: "the origin does not speak TLS"
      case .unwelcome: "the certificate was refused here"
      case nil: nil
      }
    self.init(
      offer: offer, version: sighting.facts?.version, suite: sighting.facts?.cipherSuite, failure: failure)
  }
}

extension HandshakeFault {
  /// A clause.
  var words: String {
    switch self {
    case .versionMismatch: "no TLS version in common"
    case .noSharedCipher: "no cipher suite in common"
    case .alert(let number): "the origin sent the alert \(TLSAlert.name(number)) (\(number))"
    case .other(let text): String(text.prefix(200))
    }
  }
}

extension Objection {
  /// Plain HTTP is refused before anything is sent.
  static func cleartext(_ place: HostPort, _ reason: String) -> Objection {
    Objection(
      name: "cleartext",
      refusal: .cleartext(scheme: .http, host: place.host, port: place.port, reason: reason))
  }

  static func unknown(_ host: Host) -> Objection {
    Objection(
      name: "handshake",
      refusal: .internalError(detail: "\(host) was not asked what this question needs."))
  }
}
