/// The formats of imported pins, by the words of `imports[].format`. Each keeps the matching rules of the tool that it belongs to (spec D.5).
public enum ImportFormat: String, Sendable, Hashable, CaseIterable {
  /// A property list with `TSKConfiguration`.
  case trustKit = "trustkit"
  /// Android's `network_security_config.xml`.
  case networkSecurityConfig = "network-security-config"
  /// Lines `pattern sha256/…`, or a JSON object of such lists; what Alamofire and AFNetworking pin by code is written so too.
  case okHttp = "okhttp"
  /// Lists of curl's `--pinnedpubkey`.
  case curl
  /// Lines of a host and the value of its `Public-Key-Pins` (RFC 7469).
  case hpkp
  /// A property list with `NSPinnedDomains`.
  case pinnedDomains = "nspinneddomains"
  /// A certificate, or a folder of them, whose keys are the pins.
  case certificates
}
