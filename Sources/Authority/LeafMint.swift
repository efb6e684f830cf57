import Glibc
public import Names
public import TLS

/// Makes leaves for hosts. All share one key, which is not the authority's and lives as long as the mint.
///
/// Making one takes some 100 microseconds of computing: never on an event loop.
public final class LeafMint: Sendable {
  private static let day: Int64 = 86_400

  private let authority: CertificateAuthority
  private let template: LeafTemplate
  private let key: PrivateKey
  private let lifetime: Int64
  private let clock: @Sendable () -> Int64

  /// - Parameter lifetime: from the first to the last second of a leaf, the back-date included; at least a minute. Devices take
  ///   no more than 398 days.
  public convenience init(
    authority: CertificateAuthority, lifetime: Duration, keyKind: PrivateKey.Kind
  ) throws(MintFault) {
    try self.init(authority: authority, lifetime: lifetime, keyKind: keyKind) { Int64(time(nil)) }
  }

  /// `clock`: seconds since 1970.
  init(
    authority: CertificateAuthority, lifetime: Duration, keyKind: PrivateKey.Kind,
    clock: @escaping @Sendable () -> Int64
  ) throws(MintFault) {
    self.authority = authority
    self.lifetime = max(60, lifetime.components.seconds)
    self.clock = clock
    do {
      key = try PrivateKey.generate(keyKind)
      template = try LeafTemplate(key: key, issuer: authority.certificate, issuerKey: authority.key)
    } catch {
      throw .failed(error.description)
    }
  }

  /// The time by which the cache judges leaves; seconds since 1970.
  var now: Int64 { clock() }

  /// Makes a leaf for exactly this host, valid from two days ago since clocks of devices differ.
  public func mint(_ host: Host) throws(MintFault) -> MintedLeaf {
    let name = try Self.alternativeName(host)
    let validity = try self.validity(at: clock())
    let text = host.text
    let leaf: Certificate
    do {
      leaf = try template.leaf(
        for: name, commonName: text.utf8.count <= 64 ? text : nil, serial: CertificateDraft.randomSerial(),
        notBefore: validity.notBefore, notAfter: validity.notAfter)
    } catch {
      throw .failed(error.description)
    }
    return MintedLeaf(
      identity: Identity(name: text, leaf: leaf, chain: authority.chainForClients, key: key),
      notBefore: validity.notBefore, notAfter: validity.notAfter, renewal: validity.renewal)
  }

  private func validity(at now: Int64) throws(MintFault) -> (notBefore: Int64, notAfter: Int64, renewal: Int64) {
    let limit = authority.certificate.notAfter
    guard now < limit else { throw .authorityExpired }
    // A short life must not be spent on the back-date.
    let backDate = min(2 * Self.day, lifetime / 4)
    let notBefore = max(now - backDate, authority.certificate.notBefore)
    let notAfter = min(notBefore + lifetime, limit)
    // One that ends with the authority cannot be prolonged by making it anew.
    let renewal = notAfter == limit ? notAfter : notAfter - (notAfter - notBefore) / 3
    return (notBefore, notAfter, renewal)
  }

  private static func alternativeName(_ host: Host) throws(MintFault) -> CertificateDraft.AlternativeName {
    if let address = host.address { return .address(address.bytes) }
    guard isName(host.text) else { throw .nameNotAllowed(host.text) }
    return .dns(host.text)
  }

  /// Letters of A-labels, digits, hyphens and underscores only: whatever else gets this far is no host name.
  static func isName(_ text: String) -> Bool {
    guard text.utf8.count <= 253 else { return false }
    return text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
      (1...63).contains(label.utf8.count)
        && label.utf8.allSatisfy { byte in
          switch byte {
          case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
            UInt8(ascii: "_"):
            true
          default: false
          }
        }
    }
  }
}
