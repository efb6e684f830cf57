/// A certificate that TLS shows as one's own, with its key.
public struct Identity: Sendable {
  /// For people: the name in the configuration, the friendly name of a PKCS#12, or the host of a minted leaf.
  public let name: String
  public let leaf: Certificate
  /// What is sent after the leaf, each certificate followed by its issuer; the leaf is not repeated.
  public let chain: [Certificate]
  public let key: PrivateKey

  /// The caller knows that the key belongs to the leaf.
  public init(name: String, leaf: Certificate, chain: [Certificate], key: PrivateKey) {
    self.name = name
    self.leaf = leaf
    self.chain = chain
    self.key = key
  }

  /// Finds the leaf that belongs to `key` among `certificates`, and the issuers that lead on from it, in any order.
  public init(name: String, certificates: [Certificate], key: PrivateKey) throws(TLSFileFault) {
    guard !certificates.isEmpty else { throw .noCertificate }
    guard let leaf = certificates.first(where: key.matches) else { throw .keyMismatch }
    self.init(name: name, leaf: leaf, chain: Self.issuers(of: leaf, among: certificates), key: key)
  }

  /// The path from the issuer of `leaf` upwards, as far as `certificates` lead. Ends at a self-issued certificate.
  static func issuers(of leaf: Certificate, among certificates: [Certificate]) -> [Certificate] {
    var path: [Certificate] = []
    var last = leaf
    while !last.isSelfIssued,
      let issuer = certificates.first(where: { $0 != leaf && !path.contains($0) && last.canBeIssued(by: $0) })
    {
      path.append(issuer)
      last = issuer
    }
    return path
  }
}
