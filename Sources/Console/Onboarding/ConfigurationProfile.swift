import Foundation

/// The profile with which iOS, iPadOS and macOS install the CA (Apple's Configuration Profile Reference: the payload
/// `com.apple.security.root`).
///
/// Everything in it follows from the certificate, identifiers included: installed again, it takes the place of the first one.
public struct ConfigurationProfile: Sendable {
  public static let contentType = "application/x-apple-aspen-config"

  private let authority: PublicAuthority

  public init(_ authority: PublicAuthority) {
    self.authority = authority
  }

  /// An XML property list.
  public var text: String {
    let name = Self.escaped(authority.name)
    let digest = authority.fingerprint
    let suffix = digest.prefix(8).map(Self.hexadecimal).joined()
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">
      <dict>
        <key>PayloadContent</key>
        <array>
          <dict>
            <key>PayloadCertificateFileName</key>
            <string>pinwarden-ca.crt</string>
            <key>PayloadContent</key>
            <data>\(Data(authority.der).base64EncodedString())</data>
            <key>PayloadDescription</key>
            <string>Lets this device trust what pinwarden signs</string>
            <key>PayloadDisplayName</key>
            <string>\(name)</string>
            <key>PayloadIdentifier</key>
            <string>internal.pinwarden.\(suffix).root</string>
            <key>PayloadType</key>
            <string>com.apple.security.root</string>
            <key>PayloadUUID</key>
            <string>\(Self.identifier(digest.suffix(16)))</string>
            <key>PayloadVersion</key>
            <integer>1</integer>
          </dict>
        </array>
        <key>PayloadDescription</key>
        <string>The certificate authority of a pinwarden proxy. Trust it only if you use that proxy.</string>
        <key>PayloadDisplayName</key>
        <string>\(name)</string>
        <key>PayloadIdentifier</key>
        <string>internal.pinwarden.\(suffix)</string>
        <key>PayloadRemovalDisallowed</key>
        <false/>
        <key>PayloadType</key>
        <string>Configuration</string>
        <key>PayloadUUID</key>
        <string>\(Self.identifier(digest.prefix(16)))</string>
        <key>PayloadVersion</key>
        <integer>1</integer>
      </dict>
      </plist>

      """
  }

  /// A UUID whose bits are the given ones where RFC 9562, section 5.8, leaves them free (version 8).
  private static func identifier(_ bytes: ArraySlice<UInt8>) -> String {
    var text = ""
    for (index, byte) in bytes.enumerated() {
      if [4, 6, 8, 10].contains(index) { text += "-" }
      switch index {
      case 6: text += hexadecimal(byte & 0x0F | 0x80)
      case 8: text += hexadecimal(byte & 0x3F | 0x80)
      default: text += hexadecimal(byte)
      }
    }
    return text.uppercased()
  }

  private static func hexadecimal(_ byte: UInt8) -> String {
    (byte < 16 ? "0" : "") + String(byte, radix: 16)
  }

  /// For the text of an element. What XML 1.0 cannot hold becomes a question mark.
  static func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      default:
        let isAllowed = scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value) && scalar.value & 0xFFFE != 0xFFFE
        result.unicodeScalars.append(isAllowed ? scalar : "?")
      }
    }
  }
}
