import Names

/// The kind of a public key, as far as policies tell them apart.
public enum KeyKind: Sendable, Hashable {
  case rsa, ec, ed25519
  case other(String)
}

/// The hash inside a certificate's signature.
public enum SignatureHash: String, Sendable, Hashable {
  case md5, sha1, sha224, sha256, sha384, sha512
  /// A scheme with a fixed, strong hash inside (Ed25519, Ed448).
  case intrinsic
  case unknown
}

/// What policies may know of one certificate. A plain value; extracted once for each origin connection.
public struct CertificateFacts: Sendable, Hashable {
  public var subject: String
  public var issuer: String
  /// SHA-256 of the DER.
  public var fingerprint: [UInt8]
  /// SHA-256 of the DER SubjectPublicKeyInfo.
  public var spkiDigest: [UInt8]
  public var keyKind: KeyKind
  public var keyBits: Int
  public var signatureHash: SignatureHash
  /// Seconds since 1970.
  public var notBefore: Int64
  public var notAfter: Int64
  public var isSelfIssued: Bool
  /// Its extended key usage names serverAuth itself.
  public var namesServerAuthentication: Bool
  /// Its server must staple its status (RFC 7633).
  public var requiresStaple: Bool

  public init(
    subject: String, issuer: String, fingerprint: [UInt8], spkiDigest: [UInt8], keyKind: KeyKind, keyBits: Int,
    signatureHash: SignatureHash, notBefore: Int64, notAfter: Int64, isSelfIssued: Bool,
    namesServerAuthentication: Bool = true, requiresStaple: Bool = false
  ) {
    self.subject = subject
    self.issuer = issuer
    self.fingerprint = fingerprint
    self.spkiDigest = spkiDigest
    self.keyKind = keyKind
    self.keyBits = keyBits
    self.signatureHash = signatureHash
    self.notBefore = notBefore
    self.notAfter = notAfter
    self.isSelfIssued = isSelfIssued
    self.namesServerAuthentication = namesServerAuthentication
    self.requiresStaple = requiresStaple
  }
}

/// What is wrong with a certificate path; `depth` 0 is the leaf.
public enum ChainFault: Sendable, Hashable {
  /// No path to an anchor: the issuer of the last certificate is unknown, or its root is not trusted.
  case unknownRoot
  /// The leaf signed itself and is no anchor.
  case selfSigned
  case expired(depth: Int)
  case notYetValid(depth: Int)
  /// The certificate is not for this host (spec E.4).
  case nameMismatch
  /// Extended key usage without serverAuth, or a CA that may not issue for servers.
  case wrongPurpose(depth: Int)
  /// Not a CA, path length exceeded, name constraints.
  case invalidAuthority(depth: Int)
  case badSignature(depth: Int)
  /// By its stapled status; when and why, as a part of a sentence.
  case revoked(String)
  /// The leaf asks its server for a status, and there is no good one; why not.
  case stapleMissing(String)
  /// Anything else, in OpenSSL's words.
  case other(String)
}

/// The result of building and checking a path from the presented certificates to one set of anchors.
public struct ChainEvaluation: Sendable, Hashable {
  /// The path that was built, leaf first, anchor last if one was found. Never empty.
  public var chain: [CertificateFacts]
  /// Empty: valid. The host name is among the faults only where it was asked for.
  public var faults: [ChainFault]
  /// Whether the anchor comes from the operating system's store; stricter limits hold for it (spec E.3).
  public var anchorIsSystem: Bool

  public var isValid: Bool { faults.isEmpty }

  public init(chain: [CertificateFacts], faults: [ChainFault], anchorIsSystem: Bool) {
    self.chain = chain
    self.faults = faults
    self.anchorIsSystem = anchorIsSystem
  }
}

/// What was really negotiated with an origin and what it presented; the input of `judge`.
public struct PeerFacts: Sendable {
  public var version: TLSVersion
  /// OpenSSL's name of the suite, such as `ECDHE-RSA-AES128-GCM-SHA256` or `TLS_AES_128_GCM_SHA256`.
  public var cipherSuite: String
  /// Whether the session has the extended master secret (RFC 7627). Says nothing in TLS 1.3, whose secrets are always bound to the handshake.
  public var usesExtendedMasterSecret: Bool
  /// As sent by the origin, leaf first. Never empty.
  public var presented: [CertificateFacts]
  /// Against the configured anchors (system's or `upstream.anchors`, and the trust policy's `anchors`), with the host name.
  public var evaluation: ChainEvaluation
  /// The same without the host name as a fault.
  public var hostMatches: Bool
  /// Against the trust policy's `certificates` alone, as AFSecurityPolicy's certificate mode does (spec C.2 step 5), without the
  /// host name; nil when the policy does not ask for it.
  public var pinnedEvaluation: ChainEvaluation?
  /// Seconds since 1970.
  public var now: Int64
  /// Only where `OriginRequirements.wantsAnchorOrigin`; says nothing about a chain that is not valid.
  public var anchorOrigin = AnchorOrigin.system
  /// Of the leaf.
  public var staple = StapledStatus.absent
  /// Of the leaf; empty also where no policy asks for them.
  public var timestamps: [SignedTimestamp] = []

  public init(
    version: TLSVersion, cipherSuite: String, presented: [CertificateFacts], evaluation: ChainEvaluation,
    hostMatches: Bool, pinnedEvaluation: ChainEvaluation?, now: Int64, usesExtendedMasterSecret: Bool = false
  ) {
    self.version = version
    self.cipherSuite = cipherSuite
    self.usesExtendedMasterSecret = usesExtendedMasterSecret
    self.presented = presented
    self.evaluation = evaluation
    self.hostMatches = hostMatches
    self.pinnedEvaluation = pinnedEvaluation
    self.now = now
  }
}
