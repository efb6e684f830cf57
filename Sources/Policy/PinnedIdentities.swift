/// What `NSPinnedDomains` asks of one host: SHA-256 digests of SubjectPublicKeyInfo (spec A.9).
///
/// A list that is present but has no usable digest is an empty set, which nothing matches.
public struct PinnedIdentities: Sendable, Hashable {
  /// nil: no list of leaves. Else the leaf's key must be in it.
  public var leaf: Set<[UInt8]>?
  /// nil: no list of authorities. Else the key of some certificate above the leaf must be in it, the root included.
  public var ca: Set<[UInt8]>?

  public init(leaf: Set<[UInt8]>?, ca: Set<[UInt8]>?) {
    self.leaf = leaf
    self.ca = ca
  }

  /// The digests of the list for the leaf as pins are written, sorted; nil: there is no list.
  public var leafPins: [String]? { leaf.map { $0.map(Pin.text(of:)).sorted() } }
  /// The same for authorities.
  public var authorityPins: [String]? { ca.map { $0.map(Pin.text(of:)).sorted() } }

  /// A digest of `chain` that satisfies the lists (the leaf's, if both do); nil unless each list that is present is satisfied.
  func match(_ chain: [CertificateFacts]) -> [UInt8]? {
    let leafMatch = leaf.map { list in chain.first.flatMap { list.contains($0.spkiDigest) ? $0.spkiDigest : nil } }
    let authorityMatch = ca.map { list in chain.dropFirst().first { list.contains($0.spkiDigest) }?.spkiDigest }
    switch (leafMatch, authorityMatch) {
    case (nil, nil): return nil
    case (let one?, nil), (nil, let one?): return one
    case (let leaf?, let authority?): return authority == nil ? nil : leaf
    }
  }

  /// Both lists must be satisfied where several entries name one host (spec A.9, 3).
  mutating func formUnion(_ other: PinnedIdentities) {
    if let more = other.leaf { leaf = (leaf ?? []).union(more) }
    if let more = other.ca { ca = (ca ?? []).union(more) }
  }
}
