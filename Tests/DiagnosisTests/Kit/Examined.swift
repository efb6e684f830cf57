import Configuration
import Diagnosis
import Foundation
import Testing

@testable import TLS

/// Diagnoses origins of a test with a configuration that leads to them.
enum Examined {
  /// - Parameters:
  ///   - origins: where `host:port` leads.
  ///   - more: further members of the configuration.
  ///   - upstream: further members of `upstream`.
  static func configuration(
    _ origins: [String: String], os: String = "18.4", upstream: String = "", more: String = ""
  ) throws -> Configuration {
    let folder = FileManager.default.temporaryDirectory.appending(path: "pinwarden-diagnosis-\(UUID().uuidString)")
      .path()
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try TestPKI.root.get().certificate.pem.write(toFile: "\(folder)/root.pem", atomically: true, encoding: .utf8)
    let client = try TestPKI.identity(TestPKI.Wish(names: ["client"]))
    try client.leaf.pem.write(toFile: "\(folder)/client.pem", atomically: true, encoding: .utf8)
    try client.key.pem().write(toFile: "\(folder)/client.key", atomically: true, encoding: .utf8)
    // Ports that nobody means must not be looked for in DNS.
    let resolve = (origins.merging(["**.test": "127.0.0.1:1"]) { own, _ in own })
      .map { "'\($0.key)': '\($0.value)'" }.joined(separator: ", ")
    let text = """
      { stateDirectory: '.', upstream: { anchors: 'root.pem', resolve: { \(resolve) }, \(upstream) }, ats: { os: '\(os)' }, \(more) }
      """
    let loaded = ConfigurationLoader.load(text: text, folder: folder, environment: [:])
    return try #require(loaded.configuration, "\(loaded.findings.map(\.text).joined(separator: "\n"))")
  }

  /// One host, `a.test`, behind one origin.
  static func host(
    _ origin: TestOrigin, os: String = "18.4", more: String = "", sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> HostDiagnosis {
    let all = try await hosts(["a.test"], [configuration(["a.test:443": origin.address], os: os, more: more)])
    return try #require(all.first?.first, sourceLocation: sourceLocation)
  }

  static func hosts(
    _ names: [String], _ configurations: [Configuration], policies: [AppPolicy] = []
  ) async throws -> [[HostDiagnosis]] {
    let diagnoser = try Diagnoser(configurations, policies: policies)
    defer { diagnoser.end() }
    return await diagnoser.diagnose(try names.map { try DiagnosisTarget($0) })
  }
}
