import Configuration
import Foundation
import Policy

/// A network_security_config.xml that a command line names, read as `imports` reads one.
struct AndroidFile {
  let config: NetworkSecurityConfig
  /// Warnings and notes about it.
  let findings: [Finding]

  /// Whether these are the bytes of one, by its root.
  static func isOne(_ bytes: [UInt8]) -> Bool {
    let head = String(decoding: bytes.prefix(16_384), as: UTF8.self)
    return head.contains("<network-security-config") && !head.contains("<plist")
  }

  init(_ file: String) throws(CommandFault) {
    let path = file.split(separator: "\\", omittingEmptySubsequences: false).joined(separator: "\\\\")
      .split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\\\"")
    let result = ConfigurationLoader.load(
      text: "{ imports: [{ file: \"\(path)\", format: \"network-security-config\" }] }",
      environment: ProcessInfo.processInfo.environment)
    guard let configuration = result.configuration,
      case .networkSecurity(let config)? = configuration.defaultLane.policy.imports.first?.rules
    else { throw .failed(.unreadable, result.rejection ?? "\(file) is no network_security_config.xml") }
    self.config = config
    findings = result.findings
  }
}
