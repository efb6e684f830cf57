import Names
import Policy

/// Imports and the judgements on them, made up.
enum ImportSamples {
  static let leaf = Pin(of: Samples.leaf)
  static let intermediate = Pin(of: Samples.intermediate)
  static let root = Pin(of: Samples.root)
  static let other = Pin(of: Samples.other)
  static let another = Pin(of: .sample(10, "CN=Another"))

  static func source(_ format: ImportFormat) -> ImportSource { ImportSource(file: "file", format: format) }

  static func policy(_ format: ImportFormat, _ rules: ImportedPolicy.Rules) -> ImportedPolicy {
    ImportedPolicy(source: source(format), rules: rules)
  }

  /// What all `imports` ask of a host.
  static func requirements(_ imports: [ImportedPolicy], host: String, mode: ATSMode = .enforce) throws
    -> OriginRequirements
  {
    let ats = ATSPolicy(os: OSVersion(major: 18, minor: 4), mode: mode)
    let lane = LanePolicy(lane: "default", ats: ats, rules: HostRules(), trust: [:], imports: imports)
    return lane.requirements(host: try Host(host), port: 443, context: .app)
  }

  /// Whether a host is named, and if so the pins that count for it.
  static func pins(_ policy: ImportedPolicy, _ host: String) throws -> Set<Pin>? {
    switch policy.demand(host: try Host(host), port: 443)?.keys {
    case .chain(let pins), .leaf(let pins): pins
    case .pinnedDomains, .some(.none), nil: nil
    }
  }
}

extension TrustKitReader {
  /// Reads domains at the beginning of 2026.
  static func read(_ domains: PropertyValue, now: Int64 = Samples.now) -> (pins: TrustKitPins?, findings: [Finding]) {
    var reader = TrustKitReader(now: now)
    let pins = reader.read(["TSKConfiguration": ["TSKPinnedDomains": domains]])
    return (pins, reader.findings)
  }
}

extension PropertyValue {
  static func hashes(_ pins: Pin...) -> PropertyValue { .array(pins.map { .string($0.base64) }) }
}
