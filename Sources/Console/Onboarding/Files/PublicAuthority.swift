/// What everybody may know of the local CA: its certificate in both encodings. Holds no key.
public struct PublicAuthority: Sendable, Hashable {
  /// The subject's name, for people.
  public let name: String
  public let der: [UInt8]
  public let pem: String
  /// SHA-256 of `der`.
  public let fingerprint: [UInt8]
  /// Names its file in Android's store of system certificates: eight hexadecimal digits.
  public let hash: String

  public init(name: String, der: [UInt8], pem: String, fingerprint: [UInt8], hash: String = "00000000") {
    self.name = name
    self.der = der
    self.pem = pem
    self.fingerprint = fingerprint
    self.hash = hash
  }

  /// `AB:CD:…`, as systems show it.
  public var fingerprintText: String {
    fingerprint.map { byte in
      let text = String(byte, radix: 16, uppercase: true)
      return text.count == 1 ? "0\(text)" : text
    }.joined(separator: ":")
  }
}
