import Foundation

/// The profile with which iOS, iPadOS and macOS install the CA and, where a wireless network is given, the proxy in it (Apple's
/// Configuration Profile Reference: the payloads `com.apple.security.root` and `com.apple.wifi.managed`).
///
/// Everything in it follows from the certificate and the network, identifiers included: installed again, it takes the place of the
/// first one. It is not signed: a signature would have to be by an authority that the device trusts already.
public struct ConfigurationProfile: Sendable {
  public static let contentType = "application/x-apple-aspen-config"

  private let authority: PublicAuthority
  private let network: WirelessNetwork?

  public init(_ authority: PublicAuthority) {
    self.init(authority, network: nil)
  }

  init(_ authority: PublicAuthority, network: WirelessNetwork?) {
    self.authority = authority
    self.network = network
  }

  /// An XML property list.
  public var text: String {
    let name = Self.escaped(authority.name)
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">
      <dict>
        <key>PayloadContent</key>
        <array>
      \(rootPayload)\(network.map(wirelessPayload) ?? "")  </array>
        <key>PayloadDescription</key>
        <string>The certificate authority of a pinwarden proxy. Trust it only if you use that proxy.</string>
        <key>PayloadDisplayName</key>
        <string>\(name)</string>
        <key>PayloadIdentifier</key>
        <string>\(identifier)</string>
        <key>PayloadRemovalDisallowed</key>
        <false/>
        <key>PayloadType</key>
        <string>Configuration</string>
        <key>PayloadUUID</key>
        <string>\(Self.uuid(authority.fingerprint.prefix(16)))</string>
        <key>PayloadVersion</key>
        <integer>1</integer>
      </dict>
      </plist>

      """
  }

  private var identifier: String {
    "internal.pinwarden." + authority.fingerprint.prefix(8).map(Self.hexadecimal).joined()
  }

  private var rootPayload: String {
    """
        <dict>
          <key>PayloadCertificateFileName</key>
          <string>pinwarden-ca.crt</string>
          <key>PayloadContent</key>
          <data>\(Data(authority.der).base64EncodedString())</data>
          <key>PayloadDescription</key>
          <string>Lets this device trust what pinwarden signs</string>
          <key>PayloadDisplayName</key>
          <string>\(Self.escaped(authority.name))</string>
          <key>PayloadIdentifier</key>
          <string>\(identifier).root</string>
          <key>PayloadType</key>
          <string>com.apple.security.root</string>
          <key>PayloadUUID</key>
          <string>\(Self.uuid(authority.fingerprint.suffix(16)))</string>
          <key>PayloadVersion</key>
          <integer>1</integer>
        </dict>

    """
  }

  /// `EncryptionType` Any lets the device find out itself how the network is protected.
  private func wirelessPayload(_ network: WirelessNetwork) -> String {
    """
        <dict>
          <key>AutoJoin</key>
          <true/>
          <key>EncryptionType</key>
          <string>Any</string>
          <key>HIDDEN_NETWORK</key>
          <false/>
          <key>PayloadDescription</key>
          <string>Uses the pinwarden proxy in this network</string>
          <key>PayloadDisplayName</key>
          <string>Wi-Fi (\(Self.escaped(network.name)))</string>
          <key>PayloadIdentifier</key>
          <string>\(identifier).wifi</string>
          <key>PayloadType</key>
          <string>com.apple.wifi.managed</string>
          <key>PayloadUUID</key>
          <string>\(Self.uuid(networkBytes(network.name)[...]))</string>
          <key>PayloadVersion</key>
          <integer>1</integer>
          <key>ProxyServer</key>
          <string>\(Self.escaped(network.server))</string>
          <key>ProxyServerPort</key>
          <integer>\(network.port)</integer>
          <key>ProxyType</key>
          <string>Manual</string>
          <key>SSID_STR</key>
          <string>\(Self.escaped(network.name))</string>
        </dict>

    """
  }

  /// Sixteen bytes that stay the same for the same authority and network: the middle of the fingerprint, mixed with FNV-1a of the name.
  private func networkBytes(_ name: String) -> [UInt8] {
    let hash = name.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
    return authority.fingerprint.dropFirst(8).prefix(16).enumerated().map { index, byte in
      byte ^ UInt8(truncatingIfNeeded: hash >> UInt64(index % 8 * 8))
    }
  }

  /// A UUID whose bits are the given ones where RFC 9562, section 5.8, leaves them free (version 8).
  private static func uuid(_ bytes: ArraySlice<UInt8>) -> String {
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
