import Names
import Policy

/// One of the tests of `nscurl --ats-diagnostics`: a load under a dictionary (spec B.1).
public struct DiagnosticRow: Sendable, Equatable {
  /// The heading under which it stands; several rows in a row may share one.
  public let section: String
  /// As nscurl names it.
  public let name: String
  /// The `NSAppTransportSecurity` of the test.
  public let dictionary: PropertyValue

  /// The 16 of them, in nscurl's order.
  ///
  /// - Parameter key: the host as `NSExceptionDomains` names it.
  public static func all(for key: String) -> [DiagnosticRow] {
    let versions = TLSVersion.allCases.reversed().map(\.name)
    return [
      DiagnosticRow(
        section: "Default ATS Secure Connection", name: "ATS Default Connection", dictionary: .dictionary([:])),
      DiagnosticRow(
        section: "Allowing Arbitrary Loads", name: "Allow All Loads",
        dictionary: .dictionary([ExceptionKey.arbitraryLoads: .boolean(true)])),
    ]
      + versions.map {
        DiagnosticRow("Configuring TLS exceptions for \(key)", $0, key, ATSException(minimumTLS: $0))
      }
      + [
        DiagnosticRow(
          "Configuring PFS exceptions for \(key)", "Disabling Perfect Forward Secrecy", key,
          ATSException(withoutForwardSecrecy: true)),
        DiagnosticRow(
          "Configuring PFS exceptions and allowing insecure HTTP for \(key)",
          "Disabling Perfect Forward Secrecy and Allowing Insecure HTTP", key,
          ATSException(withoutForwardSecrecy: true, insecureHTTP: true)),
      ]
      + versions.map {
        DiagnosticRow(
          "Configuring TLS exceptions with PFS disabled for \(key)", "\($0) with PFS disabled", key,
          ATSException(minimumTLS: $0, withoutForwardSecrecy: true))
      }
      + versions.map {
        DiagnosticRow(
          "Configuring TLS exceptions with PFS disabled and insecure HTTP allowed for \(key)",
          "\($0) with PFS disabled and insecure HTTP allowed", key,
          ATSException(minimumTLS: $0, withoutForwardSecrecy: true, insecureHTTP: true))
      }
  }

  private init(_ section: String, _ name: String, _ key: String, _ exception: ATSException) {
    self.init(section: section, name: name, dictionary: exception.dictionary(for: key))
  }

  init(section: String, name: String, dictionary: PropertyValue) {
    self.section = section
    self.name = name
    self.dictionary = dictionary
  }
}
