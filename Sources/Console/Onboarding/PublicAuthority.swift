/// What everybody may know of the local CA: its certificate in both encodings. Holds no key.
public struct PublicAuthority: Sendable, Hashable {
  /// The subject's name, for people.
  public let name: String
  public let der: [UInt8]
  public let pem: String
  /// SHA-256 of `der`.
  public let fingerprint: [UInt8]

  public init(name: String, der: [UInt8], pem: String, fingerprint: [UInt8]) {
    self.name = name
    self.der = der
    self.pem = pem
    self.fingerprint = fingerprint
  }

  /// `AB:CD:…`, as systems show it.
  public var fingerprintText: String {
    fingerprint.map { byte in
      let text = String(byte, radix: 16, uppercase: true)
      return text.count == 1 ? "0\(text)" : text
    }.joined(separator: ":")
  }
}
