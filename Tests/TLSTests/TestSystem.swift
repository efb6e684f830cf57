import Foundation

@testable import TLS

/// What the machine that runs the tests has.
enum TestSystem {
  /// One of its trust anchors; nil on a machine without any at the usual place.
  static var anchor: Certificate? {
    guard let data = FileManager.default.contents(atPath: "/etc/ssl/certs/ca-certificates.crt") else { return nil }
    return (try? Certificate.parse(pemOrDER: Array(data)))?.first
  }
}
