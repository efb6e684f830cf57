import Names
import Policy

/// What the origin must satisfy, in words and numbers.
extension Explanation {
  /// What ATS asks of the origin: nothing where it is off.
  var minimumTLS: TLSVersion? { atsMode == .off ? nil : requirements?.ats.minimumTLS }
  var forwardSecrecy: Bool { atsMode != .off && requirements?.ats.forwardSecrecy == true }

  /// Whether ATS itself judges the certificate. Certificate trust judges it in any case.
  var judgesCertificate: Bool { atsMode != .off && requirements?.ats.isATSRequired == true }

  /// Whether ATS itself asks for a large key. Giving up forward secrecy gives that up too.
  var judgesKey: Bool { judgesCertificate && forwardSecrecy }

  /// One demand a line.
  var demands: [String] {
    guard let requirements else { return [] }
    var demands = [tlsDemand, suiteDemand(requirements), certificateDemand]
    demands += policyDemands(requirements) + trustDemands
    demands += requirements.imports.map(\.line)
    if !requirements.identityNames.isEmpty {
      demands.append(
        "client certificate, if asked: \(requirements.identityNames.map(PlainText.oneLine).joined(separator: ", "))")
    }
    demands.append(
      requirements.onTrustFailure == .respond
        ? "otherwise: every request is answered with 502" : "otherwise: the device's TLS handshake fails")
    return demands
  }

  private var tlsDemand: String {
    "TLS: \(minimumTLS.map { "\($0.name) or later" } ?? "whatever the system accepts")"
      + (forwardSecrecy ? ", with forward secrecy" : "")
      + (atsMode == .observe ? " (only recorded: ats.mode is observe)" : "")
  }

  private func suiteDemand(_ requirements: OriginRequirements) -> String {
    let offer = requirements.offer
    return
      "offered: \(offer.minimum.name) to \(offer.maximum.name); up to TLSv1.2 \(offer.cipherSuites.joined(separator: " "))"
      + (offer.signatureAlgorithms.isEmpty ? "" : "; signatures \(offer.signatureAlgorithms.joined(separator: " "))")
  }

  private var certificateDemand: String {
    let key = judgesKey ? "leaf RSA 2048 or EC 256 at least (ATS), " : ""
    let hash = judgesCertificate ? "signed with SHA-256 or stronger (ATS), " : ""
    return "certificate: \(key)\(hash)RSA 2048 or EC 256 and no SHA-1 in the whole chain (trust)"
  }

  private func policyDemands(_ requirements: OriginRequirements) -> [String] {
    var demands: [String] = []
    if let trust = requirements.trust {
      demands.append(
        "trust: \(PlainText.oneLine(trust.name)) (pinning \(trust.pinning.rawValue), \(trust.certificates.count) certificates, "
          + "\(trust.pins.count) pins\(trust.enforce ? "" : ", only reported"))")
      demands += trust.pins.map { "pin: \($0.text)" }
    } else {
      demands.append("trust: the system's evaluation")
    }
    if let pinned = requirements.pinned {
      let lists = [
        pinned.leaf.map { "\($0.count) for the leaf" }, pinned.ca.map { "\($0.count) for an authority" },
      ].compactMap { $0 }
      demands.append("pins: NSPinnedDomains (\(lists.joined(separator: ", ")))")
      demands += ((pinned.leafPins ?? []) + (pinned.authorityPins ?? [])).map { "pin: \($0)" }
    }
    return demands
  }
}
