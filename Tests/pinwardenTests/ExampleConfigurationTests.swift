import Configuration
import Foundation
import Policy
import Testing

@Suite struct ExampleConfigurationTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "config").path()

  private static var examples: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".json5") } }
  }

  @Test func everyExampleLoadsWithoutAFinding() throws {
    let examples = try Self.examples
    #expect(examples.contains("pinwarden.json5") && examples.contains("minimal.json5"))
    for example in examples {
      let result = ConfigurationLoader.load(file: "\(Self.folder)/\(example)", environment: ["HOME": "/nowhere"])
      #expect(result.configuration != nil && result.findings.isEmpty, "\(example): \(result.findings)")
    }
  }

  /// The full example says that it shows defaults.
  @Test func theFullExampleChangesNothing() throws {
    let example = try #require(
      ConfigurationLoader.load(file: "\(Self.folder)/pinwarden.json5", environment: ["HOME": "/nowhere"]).configuration)
    let plain = try #require(ConfigurationLoader.load(text: "{}", environment: ["HOME": "/nowhere"]).configuration)
    #expect(example.listeners == plain.listeners)
    for part in [
      \Configuration.access as PartialKeyPath<Configuration>, \.authority, \.transparency, \.upstream, \.bodies,
      \.pictures, \.limits, \.store, \.log, \.console, \.onboarding, \.stateDirectory,
    ] {
      #expect("\(example[keyPath: part])" == "\(plain[keyPath: part])")
    }
    #expect(example.lanes.keys == plain.lanes.keys)
    #expect(example.defaultLane.policy.ats.mode == plain.defaultLane.policy.ats.mode)
    #expect(example.defaultLane.policy.ats.os == plain.defaultLane.policy.ats.os)
    #expect(example.defaultLane.policy.rules.defaultAction == plain.defaultLane.policy.rules.defaultAction)
    #expect(example.defaultLane.policy.rules.emptyWhitelist == plain.defaultLane.policy.rules.emptyWhitelist)
  }
}
