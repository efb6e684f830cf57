import Names

/// A ClientHello of TLS 1.2 (RFC 5246, section 7.4.1.2) that offers what no library speaks any more, to see which of it an origin takes.
/// It is no beginning of a handshake: the answer is read and the connection closed.
enum LegacyHello {
  /// What the origin chose.
  struct Answer: Sendable, Equatable {
    /// `TLSv1.0`, or `SSLv3`.
    let version: String
    /// As IANA's registry of TLS cipher suites names it.
    let suite: String
  }

  /// By their numbers on the wire, the less bad ones first.
  static let suites: [(number: UInt16, name: String)] = [
    (0xC09D, "TLS_RSA_WITH_AES_256_CCM"), (0xC09C, "TLS_RSA_WITH_AES_128_CCM"), (0xC0A1, "TLS_RSA_WITH_AES_256_CCM_8"),
    (0xC0A0, "TLS_RSA_WITH_AES_128_CCM_8"), (0xC051, "TLS_RSA_WITH_ARIA_256_GCM_SHA384"),
    (0xC050, "TLS_RSA_WITH_ARIA_128_GCM_SHA256"), (0x0088, "TLS_DHE_RSA_WITH_CAMELLIA_256_CBC_SHA"),
    (0x0084, "TLS_RSA_WITH_CAMELLIA_256_CBC_SHA"), (0x00BA, "TLS_RSA_WITH_CAMELLIA_128_CBC_SHA256"),
    (0x0041, "TLS_RSA_WITH_CAMELLIA_128_CBC_SHA"), (0x0096, "TLS_RSA_WITH_SEED_CBC_SHA"),
    (0x0007, "TLS_RSA_WITH_IDEA_CBC_SHA"), (0xC008, "TLS_ECDHE_ECDSA_WITH_3DES_EDE_CBC_SHA"),
    (0xC012, "TLS_ECDHE_RSA_WITH_3DES_EDE_CBC_SHA"), (0x0016, "TLS_DHE_RSA_WITH_3DES_EDE_CBC_SHA"),
    (0x000A, "TLS_RSA_WITH_3DES_EDE_CBC_SHA"), (0xC007, "TLS_ECDHE_ECDSA_WITH_RC4_128_SHA"),
    (0xC011, "TLS_ECDHE_RSA_WITH_RC4_128_SHA"), (0x0005, "TLS_RSA_WITH_RC4_128_SHA"),
    (0x0004, "TLS_RSA_WITH_RC4_128_MD5"), (0x0015, "TLS_DHE_RSA_WITH_DES_CBC_SHA"),
    (0x0009, "TLS_RSA_WITH_DES_CBC_SHA"),
    (0x0008, "TLS_RSA_EXPORT_WITH_DES40_CBC_SHA"), (0x0003, "TLS_RSA_EXPORT_WITH_RC4_40_MD5"),
    (0x003B, "TLS_RSA_WITH_NULL_SHA256"), (0x0002, "TLS_RSA_WITH_NULL_SHA"),
  ]

  /// The record to send. Sends the name unless it is an address, and says that renegotiation would be safe (RFC 5746).
  static func bytes(for host: Host) -> [UInt8] {
    let random = (0..<32).map { _ in UInt8.random(in: .min ... .max) }
    let offered = suites.map(\.number) + [0x00FF]
    let body =
      [3, 3] + random + [0] + counted(offered.flatMap(big)) + [1, 0] + counted(extensions(for: host))
    let message = [1, 0] + counted(body)
    return [22, 3, 1] + counted(message)
  }

  private static func extensions(for host: Host) -> [UInt8] {
    // P-256 and P-384; uncompressed points; RSA and ECDSA with SHA-256 and SHA-1.
    var list = [0, 10] + counted(counted([0, 23, 0, 24]))
    list += [0, 11] + counted([1, 0])
    list += [0, 13] + counted(counted([4, 1, 4, 3, 2, 1, 2, 3]))
    guard host.address == nil else { return list }
    return list + [0, 0] + counted(counted([0] + counted(Array(host.text.utf8))))
  }

  /// Nothing here comes near 64 KiB: a host has at most 253 bytes.
  private static func counted(_ bytes: [UInt8]) -> [UInt8] { big(UInt16(clamping: bytes.count)) + bytes }

  private static func big(_ number: UInt16) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 0xFF)] }

  /// What the beginning of an answer says; nil: no ServerHello, or one of which more must come, or one that chose nothing that was offered.
  static func read(_ bytes: [UInt8]) -> Answer? {
    // Record and handshake header, version, random, and the length of the session id.
    guard bytes.count > 43, bytes[0] == 22, bytes[1] == 3, bytes[5] == 2, bytes[9] == 3 else { return nil }
    let place = 44 + Int(bytes[43])
    guard bytes.count > place + 1 else { return nil }
    let number = UInt16(bytes[place]) << 8 | UInt16(bytes[place + 1])
    guard let suite = suites.first(where: { $0.number == number }), bytes[10] <= 3 else { return nil }
    return Answer(version: bytes[10] == 0 ? "SSLv3" : "TLSv1.\(bytes[10] - 1)", suite: suite.name)
  }
}
