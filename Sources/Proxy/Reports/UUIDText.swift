import TLS

/// Universally unique identifiers as text, without Foundation.
enum UUIDText {
  /// A random one (RFC 9562, section 5.4), in upper case as Apple's systems write it.
  static func random() -> String {
    var bytes = RandomBytes.make(16)
    guard bytes.count == 16 else { return "00000000-0000-0000-0000-000000000000" }
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }
    return [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { digits[$0].joined() }.joined(separator: "-")
  }
}
