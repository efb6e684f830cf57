import Configuration
import Foundation
import Policy

/// The configuration that a command works with.
enum LoadedConfiguration {
  /// Loads it. Errors go to standard error and end the command: with 78, or with 64 when it is the command line that is wrong.
  static func load(
    _ arguments: Arguments, overrides: CommandLineOverrides = CommandLineOverrides(),
    showing levels: Set<Finding.Level> = [.error]
  ) throws(CommandFault) -> Configuration {
    let result = ConfigurationLoader.load(
      file: arguments.value(.config), overrides: overrides, environment: ProcessInfo.processInfo.environment)
    Output.complain(FindingsReport(result.findings.filter { levels.contains($0.level) }).text(.standardErrorByLine))
    if let configuration = result.configuration { return configuration }
    let errors = result.findings.filter { $0.level == .error }
    throw .ended(errors.allSatisfy { $0.keyPath.hasPrefix("--") } ? .usage : .configuration)
  }
}
