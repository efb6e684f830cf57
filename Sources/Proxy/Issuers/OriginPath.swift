import Configuration
import Names
import Policy
import TLS

/// The path from an origin's certificate to an anchor, built from what the origin sent, what its trust policy has, and what was fetched
/// before (spec E.1; RFC 5280 section 4.2.2.1).
struct OriginPath {
  /// Issuers above issuers that are fetched for one connection.
  static let fetchLimit = 2

  let result: ChainResult
  /// What may stand between the leaf and an anchor.
  let others: [Certificate]
  /// Where the issuer that is missing can be had; nil: none is missing, or nothing can be done.
  let missing: TargetURL?
  /// Why an issuer that is missing could not be fetched.
  let fault: (location: TargetURL, reason: IssuerFault)?

  private init(
    _ result: ChainResult, _ others: [Certificate], missing: TargetURL? = nil,
    fault: (location: TargetURL, reason: IssuerFault)? = nil
  ) {
    self.result = result
    self.others = others
    self.missing = missing
    self.fault = fault
  }

  /// - Parameter anchors: what the path must lead to.
  static func build(
    _ leaf: Certificate, _ sent: [Certificate], to anchors: TrustStore, plan: OriginPlan, issuers: IssuerCache
  ) -> OriginPath {
    let trust = plan.requirements?.trust
    let material = trust.flatMap { plan.lane.materials[$0.name] }
    var others = sent + (material.map { $0.pinned + $0.anchors } ?? [])
    var result = evaluate(leaf, others, anchors, plan)
    guard trust?.fetchIntermediates == true else { return OriginPath(result, others) }
    for _ in 0..<fetchLimit {
      guard result.faults.contains(.unknownRoot), let last = result.chain.last else { break }
      switch look(for: last, plan, issuers) {
      case .certificates(let found):
        others += found
        result = evaluate(leaf, others, anchors, plan)
      case .missing(let location): return OriginPath(result, others, missing: location)
      case .failed(let location, let reason): return OriginPath(result, others, fault: (location, reason))
      case .nowhere: return OriginPath(result, others)
      }
    }
    return OriginPath(result, others)
  }

  private enum Found {
    case certificates([Certificate])
    case missing(TargetURL)
    case failed(TargetURL, IssuerFault)
    case nowhere
  }

  /// The first location that is not known to fail.
  private static func look(for certificate: Certificate, _ plan: OriginPlan, _ issuers: IssuerCache) -> Found {
    var failure = Found.nowhere
    for location in certificate.issuerLocations.lazy.compactMap({ Self.location($0) }).prefix(fetchLimit) {
      switch issuers.known(IssuerCache.Key(location: location.description, isGuarded: plan.key.isGuarded)) {
      case .certificates(let found): return .certificates(found)
      case .unknown: return .missing(location)
      case .failed(let reason): failure = .failed(location, reason)
      }
    }
    return failure
  }

  /// Plain HTTP alone: for HTTPS another certificate would have to be judged first, and what is fetched proves itself by its signature.
  private static func location(_ text: String) -> TargetURL? {
    guard let location = try? TargetURL(text), location.scheme == .http else { return nil }
    return location
  }

  private static func evaluate(
    _ leaf: Certificate, _ others: [Certificate], _ anchors: TrustStore, _ plan: OriginPlan
  ) -> ChainResult {
    ChainVerifier.evaluate(leaf: leaf, others: others, anchors: anchors, host: plan.key.host, at: nil)
  }
}

extension Refusal {
  /// With why the issuer that is missing could not be had.
  func noting(_ fault: (location: TargetURL, reason: IssuerFault)?) -> Refusal {
    guard let fault else { return self }
    var refusal = self
    refusal.detail +=
      " The issuer could not be fetched from \(fault.location.description.prefix(200)): \(fault.reason)."
    return refusal
  }
}
