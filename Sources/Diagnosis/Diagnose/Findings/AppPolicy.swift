import Configuration
import Policy

/// The App Transport Security of an app, as its Info.plist says it.
public struct AppPolicy: Sendable {
  /// The path as it was given.
  public let file: String
  public let policy: ATSPolicy

  /// Reads it as the configuration would.
  ///
  /// - Returns: nil where the file cannot be used; and everything that is to be said about it.
  public static func load(_ file: String, os: OSVersion) -> (policy: AppPolicy?, findings: [Finding]) {
    let text = #"{ ats: { infoPlist: \#(quoted(file)), os: "\#(os)" }, stateDirectory: "/nonexistent", store: null }"#
    let result = ConfigurationLoader.load(text: text, environment: [:])
    let policy = result.configuration.map { AppPolicy(file: file, policy: $0.defaultLane.policy.ats) }
    return (policy, result.findings)
  }

  /// A JSON string.
  private static func quoted(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "\"") { quoted, scalar in
      switch scalar {
      case "\"", "\\": quoted += "\\\(scalar)"
      case "\u{0}"..."\u{1F}": quoted += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
      default: quoted.unicodeScalars.append(scalar)
      }
    } + "\""
  }
}
