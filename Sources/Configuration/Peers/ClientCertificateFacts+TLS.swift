import Policy
import TLS

extension ClientCertificateFacts {
  /// How an origin was answered, as records and refusals tell it.
  public init(_ answer: ClientCertificateAnswer) {
    self.init(
      acceptableIssuers: answer.demand.authorities, acceptableIssuerCount: answer.demand.authorityCount,
      keyTypes: answer.demand.keyKinds, sent: answer.sent?.name,
      passedOver: answer.passedOver.map { PassedOver(name: $0.name, reason: $0.objection.clause) },
      isLate: answer.isLate)
  }
}

extension IdentityObjection {
  /// A clause for people.
  public var clause: String {
    switch self {
    case .issuer: "no issuer in its chain is among those that the origin accepts"
    case .key: "its key cannot sign as the origin asks"
    case .purpose: "its extended key usage does not have clientAuth"
    case .expired(let end): "it expired on \(Self.day(end))"
    case .notYetValid(let start): "it is not valid before \(Self.day(start))"
    case .unusable: "the TLS library refuses it"
    }
  }

  private static func day(_ seconds: Int64) -> CalendarDay { CalendarDay(secondsSince1970: seconds) }
}
