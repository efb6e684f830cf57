/// The TLS 1.2 suites of Apple's systems by OpenSSL's names (spec A.8). The suites of TLS 1.3 are never restricted.
enum CipherSuites {
  /// With forward secrecy, iOS 15 and later.
  static let forwardSecret = keyExchanges(
    "AES256-GCM-SHA384", "AES128-GCM-SHA256", "CHACHA20-POLY1305", "AES256-SHA", "AES128-SHA")
  /// With forward secrecy, iOS 13 and 14.
  static let forwardSecret13 = forwardSecret + keyExchanges("AES256-SHA384", "AES128-SHA256")
  /// With forward secrecy, iOS 9 to 12: no ChaCha20.
  static let forwardSecret9 = keyExchanges(
    "AES256-GCM-SHA384", "AES128-GCM-SHA256", "AES256-SHA384", "AES256-SHA", "AES128-SHA256", "AES128-SHA")
  /// The package that `NSRequiresNIAPTLSPackageVersion` asks for: ECDHE with AES-GCM alone.
  static let niap = keyExchanges("AES256-GCM-SHA384", "AES128-GCM-SHA256")

  /// RSA key exchange, iOS 15 and later.
  static let plain = ["AES256-GCM-SHA384", "AES128-GCM-SHA256", "AES256-SHA", "AES128-SHA"]
  /// RSA key exchange before iOS 15.
  static let plain9 = plain + ["AES256-SHA256", "AES128-SHA256"]

  /// Whatever any of the systems speaks. No DHE, 3DES or RC4: none of them ever spoke those under ATS.
  static let every = forwardSecret13 + plain9

  private static func keyExchanges(_ ciphers: String...) -> [String] {
    ciphers.flatMap { ["ECDHE-ECDSA-\($0)", "ECDHE-RSA-\($0)"] }
  }
}
