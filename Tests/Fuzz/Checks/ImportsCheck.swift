import Names
import Policy

@testable import Configuration

/// Files of imported pins in every format; the first byte says whether a format is named, and how the others are set.
enum ImportsCheck {
  private static let hosts = ["a.test", "b.a.test", "c.b.a.test", "example.com", "a.example.com", "10.0.0.1", "::1"]
    .compactMap { try? Host($0) }
  private static let patterns = ["**.a.test", "example.com:443"].compactMap { try? HostPattern($0) }

  @Sendable static func run(_ bytes: [UInt8]) throws(Complaint) {
    guard let first = bytes.first else { return }
    let content = Array(bytes.dropFirst())
    let reading = Reading(
      source: SourceText(name: "fuzz.json5", bytes: []), folder: "/nonexistent", environment: [:], now: 1_800_000_000,
      osOverride: nil)
    let place = Field(
      node: JSON5Node(value: .string("/nonexistent/fuzz"), offset: 0), path: .root, reading: reading)
    var settings = ImportSettings(file: "/nonexistent/fuzz")
    let formats: [ImportFormat?] = [nil, nil, nil, nil, nil, nil, nil, nil, nil] + ImportFormat.allCases
    settings.format = formats[Int(first & 0x0F)]
    settings.targetSDK = first & 0x10 == 0 ? 34 : 23
    settings.debug = first & 0x20 != 0
    if first & 0x40 != 0 { settings.hosts = patterns }
    let policies = ImportReader(settings, name: "fuzz", entry: place, place: place).read(content)
    try claim((policies == nil) == reading.hasErrors, "an import with errors, or none without")
    for finding in reading.allFindings {
      try claim(!finding.message.isEmpty && finding.line != 0 && finding.column != 0, "the finding \(finding)")
    }
    for policy in policies ?? [] { try check(policy, settings) }
  }

  private static func check(_ policy: ImportedPolicy, _ settings: ImportSettings) throws(Complaint) {
    try claim(settings.format.map { $0 == policy.source.format } ?? true, "another format than was named")
    for host in hosts {
      guard let demand = policy.demand(host: host, port: 443) else { continue }
      try claim(!demand.entry.isEmpty && demand.source == policy.source, "the demand \(demand)")
      try claim(
        demand.reportURIs.allSatisfy { (try? TargetURL($0))?.isFitForReports == true },
        "reports to \(demand.reportURIs)")
      if case .trustKit = policy.rules {
        try claim(demand.pinCount >= (demand.enforce ? 2 : 1), "TrustKit has no backup: \(demand)")
      }
    }
  }
}
