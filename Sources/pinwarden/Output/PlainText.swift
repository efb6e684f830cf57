/// Text from files and from outside, made fit for a terminal.
enum PlainText {
  /// Control characters would let a certificate's name steer the terminal.
  static func oneLine(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else { return text }
    return text.unicodeScalars.reduce(into: "") { line, scalar in
      line.unicodeScalars.append(scalar.properties.generalCategory == .control ? "\u{FFFD}" : scalar)
    }
  }

  /// `AB:CD:…`.
  static func colons(_ bytes: [UInt8]) -> String {
    bytes.map { hexadecimal($0).uppercased() }.joined(separator: ":")
  }

  /// `abcd…`.
  static func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { hexadecimal($0) }.joined()
  }

  private static func hexadecimal(_ byte: UInt8) -> String {
    (byte < 16 ? "0" : "") + String(byte, radix: 16)
  }

  /// A word that a shell reads as it is meant.
  static func shellWord(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: "/._-+:@%,=".utf8.contains(byte)
      }
    }
    return isPlain && !text.isEmpty
      ? text : "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }
}
