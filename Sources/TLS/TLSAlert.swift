/// The alerts of TLS (RFC 8446 section 6, and older ones that servers still send).
public enum TLSAlert {
  public static let handshakeFailure: UInt8 = 40
  public static let badCertificate: UInt8 = 42
  public static let unsupportedCertificate: UInt8 = 43
  public static let certificateRevoked: UInt8 = 44
  public static let certificateExpired: UInt8 = 45
  public static let certificateUnknown: UInt8 = 46
  public static let unknownCA: UInt8 = 48
  public static let protocolVersion: UInt8 = 70
  public static let insufficientSecurity: UInt8 = 71
  public static let internalError: UInt8 = 80
  public static let noRenegotiation: UInt8 = 100
  public static let unrecognizedName: UInt8 = 112
  public static let certificateRequired: UInt8 = 116

  /// The name in the RFC; `unknown` for a number without one.
  public static func name(_ number: UInt8) -> String {
    names[number] ?? "unknown"
  }

  /// Whether a peer says with it that it does not accept the certificate which it was shown.
  public static func concernsCertificate(_ number: UInt8) -> Bool {
    (badCertificate...certificateUnknown).contains(number) || number == unknownCA
  }

  /// A fatal alert as a record in clear text, to refuse a client whose hello was read before a session was made for it.
  public static func record(_ number: UInt8) -> [UInt8] {
    [21, 3, 3, 0, 2, 2, number]
  }

  private static let names: [UInt8: String] = [
    0: "close_notify", 10: "unexpected_message", 20: "bad_record_mac", 21: "decryption_failed", 22: "record_overflow",
    30: "decompression_failure", 40: "handshake_failure", 41: "no_certificate", 42: "bad_certificate",
    43: "unsupported_certificate", 44: "certificate_revoked", 45: "certificate_expired", 46: "certificate_unknown",
    47: "illegal_parameter", 48: "unknown_ca", 49: "access_denied", 50: "decode_error", 51: "decrypt_error",
    60: "export_restriction", 70: "protocol_version", 71: "insufficient_security", 80: "internal_error",
    86: "inappropriate_fallback", 90: "user_canceled", 100: "no_renegotiation", 109: "missing_extension",
    110: "unsupported_extension", 111: "certificate_unobtainable", 112: "unrecognized_name",
    113: "bad_certificate_status_response", 114: "bad_certificate_hash_value", 115: "unknown_psk_identity",
    116: "certificate_required", 120: "no_application_protocol",
  ]
}
