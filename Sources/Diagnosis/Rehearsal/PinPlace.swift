import Configuration
import Policy
import TLS

/// One place that has a say about the certificates of a host.
public enum PinPlace: Sendable, Hashable {
  /// Validity, name, key and signature: App Transport Security and the anchors.
  case certificateTrust
  case trustPolicy(String)
  case pinnedDomains
  case imported(ImportSource)

  /// As texts name it.
  public var name: String {
    switch self {
    case .certificateTrust: "certificate trust"
    case .trustPolicy(let name): "trust.\(name)"
    case .pinnedDomains: ATSKey.pinnedDomains
    case .imported(let source): source.description
    }
  }

  /// In whose form its pins are written, by the words of `imports[].format`; nil: it has none.
  public var format: String? {
    switch self {
    case .certificateTrust: nil
    case .trustPolicy: "pinwarden"
    case .pinnedDomains: ImportFormat.pinnedDomains.rawValue
    case .imported(let source): source.format.rawValue
    }
  }
}

extension OriginRequirements {
  /// The places that have a say about the certificates, certificate trust first.
  var pinPlaces: [PinPlace] {
    var places = [PinPlace.certificateTrust]
    if let trust, trust.pinning != .none || !trust.pins.isEmpty { places.append(.trustPolicy(trust.name)) }
    if pinned != nil { places.append(.pinnedDomains) }
    return places + imports.map { .imported($0.source) }
  }

  /// What one place asks for, alone.
  func only(_ place: PinPlace) -> OriginRequirements {
    var requirements = self
    requirements.imports = imports.filter { .imported($0.source) == place }
    if place != .pinnedDomains { requirements.pinned = nil }
    if case .trustPolicy = place { return requirements }
    requirements.trust?.pinning = .none
    requirements.trust?.certificates = []
    requirements.trust?.pins = []
    return requirements
  }
}

extension PinPlace {
  /// What to add so that the place accepts a chain, as lines to paste; the first says where they go.
  ///
  /// - Parameter chain: leaf first.
  func lines(for chain: [Certificate], named file: String, _ requirements: OriginRequirements) -> [String] {
    guard let leaf = chain.first else { return [] }
    let pin = Pin(of: CertificateFacts(leaf)).text
    let digest = String(pin.dropFirst("sha256/".count))
    switch self {
    case .certificateTrust: return []
    case .trustPolicy(let name):
      let isByPins = requirements.trust?.pins.isEmpty == false
      let isByCertificate = requirements.trust.map { $0.pinning != .none } ?? false
      return (isByCertificate ? ["in trust.\(name).certificates:", "\"\(file)\""] : [])
        + (isByPins ? ["in trust.\(name).pins:", "\"\(pin)\""] : [])
    case .pinnedDomains: return pinnedDomainLines(chain, requirements.pinned)
    case .imported(let source):
      let entry = requirements.imports.first { $0.source == source }
      return Self.lines(source.format, entry: entry, digest: digest, chain: chain, file: file)
    }
  }

  private func pinnedDomainLines(_ chain: [Certificate], _ pinned: PinnedIdentities?) -> [String] {
    let keys = chain.map { CertificateFacts($0).spkiDigest }
    let lacksLeaf = pinned?.leaf.map { list in !(keys.first.map(list.contains) ?? false) } ?? false
    let lacksAuthority = pinned?.ca.map { list in !keys.dropFirst().contains(where: list.contains) } ?? false
    func list(_ key: String, _ certificate: Certificate?) -> [String] {
      guard let certificate else { return [] }
      let digest = Pin(of: CertificateFacts(certificate)).text.dropFirst("sha256/".count)
      return ["in \(key):", "<dict>", "  <key>\(ATSKey.digest)</key>", "  <string>\(digest)</string>", "</dict>"]
    }
    return (lacksLeaf ? list(ATSKey.pinnedLeaves, chain.first) : [])
      + (lacksAuthority ? list(ATSKey.pinnedAuthorities, chain.dropFirst().first) : [])
  }

  private static func lines(
    _ format: ImportFormat, entry: ImportDemand?, digest: String, chain: [Certificate], file: String
  ) -> [String] {
    let name = entry?.entry ?? ""
    switch format {
    case .trustKit: return ["in TSKPublicKeyHashes of \(name):", "<string>\(digest)</string>"]
    case .networkSecurityConfig: return ["in the pin-set of \(name):", "<pin digest=\"SHA-256\">\(digest)</pin>"]
    case .okHttp: return ["a line more:", "\(name) sha256/\(digest)"]
    case .curl: return ["in the list of --pinnedpubkey:", "sha256//\(digest)"]
    case .hpkp: return ["in Public-Key-Pins of \(name):", "pin-sha256=\"\(digest)\""]
    case .certificates: return ["a file more:", file]
    case .pinnedDomains:
      guard case .pinnedDomains(let identities)? = entry?.keys else { return [] }
      return PinPlace.pinnedDomains.pinnedDomainLines(chain, identities)
    }
  }
}
