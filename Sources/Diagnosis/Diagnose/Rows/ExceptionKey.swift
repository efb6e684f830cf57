/// The names in `NSAppTransportSecurity` that a diagnosis writes.
enum ExceptionKey {
  static let dictionary = "NSAppTransportSecurity"
  static let arbitraryLoads = "NSAllowsArbitraryLoads"
  static let domains = "NSExceptionDomains"
  static let minimumTLS = "NSExceptionMinimumTLSVersion"
  static let forwardSecrecy = "NSExceptionRequiresForwardSecrecy"
  static let insecureHTTP = "NSExceptionAllowsInsecureHTTPLoads"
}
