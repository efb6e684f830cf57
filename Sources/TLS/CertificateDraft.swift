import COpenSSL

/// What a new certificate is to say. Signed, it becomes a `Certificate`.
public struct CertificateDraft: Sendable {
  /// Whom a certificate is for: an entry of its subjectAltName.
  public enum AlternativeName: Sendable, Hashable {
    /// A DNS name in A-labels; ASCII.
    case dns(String)
    /// 4 or 16 bytes in network order.
    case address([UInt8])
  }

  /// Bits of the key usage extension (RFC 5280, section 4.2.1.3).
  public struct KeyUsage: OptionSet, Sendable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) {
      self.rawValue = rawValue
    }

    public static let digitalSignature = KeyUsage(rawValue: 1 << 0)
    public static let keyEncipherment = KeyUsage(rawValue: 1 << 2)
    public static let certificateSigning = KeyUsage(rawValue: 1 << 5)
    public static let revocationListSigning = KeyUsage(rawValue: 1 << 6)
  }

  /// Purposes of the extended key usage extension.
  public enum Purpose: Sendable, Hashable {
    case serverAuthentication, clientAuthentication, emailProtection, any
  }

  /// What basicConstraints say.
  public enum Role: Sendable, Hashable {
    case leaf
    /// A CA; with a path length, at most so many CAs below it.
    case authority(pathLength: Int?)
  }

  /// The subject; nil: an empty one, which makes the subjectAltName critical (RFC 5280, section 4.2.1.6). At most 64 characters.
  public var commonName: String?
  public var alternativeNames: [AlternativeName]
  public var role: Role
  /// Empty: no such extension.
  public var keyUsage: KeyUsage
  /// Empty: no such extension.
  public var purposes: [Purpose]
  /// Big-endian; must be positive and at most 20 bytes long.
  public var serial: [UInt8]
  /// Seconds since 1970.
  public var notBefore: Int64
  /// Seconds since 1970.
  public var notAfter: Int64

  /// `serial` nil: a random one.
  public init(
    commonName: String?, alternativeNames: [AlternativeName] = [], role: Role, keyUsage: KeyUsage = [],
    purposes: [Purpose] = [], serial: [UInt8]? = nil, notBefore: Int64, notAfter: Int64
  ) {
    self.commonName = commonName
    self.alternativeNames = alternativeNames
    self.role = role
    self.keyUsage = keyUsage
    self.purposes = purposes
    self.serial = serial ?? Self.randomSerial()
    self.notBefore = notBefore
    self.notAfter = notAfter
  }

  /// 16 bytes, 126 bits of them random: the number is positive and its length does not vary.
  public static func randomSerial() -> [UInt8] {
    var serial = RandomBytes.make(16)
    serial[0] = serial[0] & 0x3F | 0x40
    return serial
  }
}
