import Foundation
import Policy

@testable import Configuration

/// The folder with certificates and keys, and a moment at which all of them are valid but `expired.pem`.
enum Fixtures {
  static let folder = Bundle.module.resourcePath.map { $0 + "/Data" } ?? "Data"
  static let now: Int64 = 1_798_000_000  // 2026-12-23
}

func load(
  _ text: String, overrides: CommandLineOverrides = CommandLineOverrides(),
  environment: [String: String] = ["HOME": "/home/tester"]
) -> LoadResult {
  ConfigurationLoader.load(
    source: SourceText(name: "test.json5", bytes: Array(text.utf8)), file: "test.json5", folder: Fixtures.folder,
    overrides: overrides, environment: environment, now: Fixtures.now)
}

extension LoadResult {
  func findings(_ level: Finding.Level) -> [Finding] { findings.filter { $0.level == level } }

  /// The text of all findings of a level, for a test of what is said.
  func said(_ level: Finding.Level) -> String { findings(level).map(\.text).joined(separator: "\n") }
}
