import TLS

/// What is weak about a PKCS#12 file and the identities in it, in sentences without a full stop.
struct IdentityWeaknesses: Equatable {
  let file: [String]
  /// In the order of the identities.
  let entries: [[String]]

  /// Fewer rounds of key derivation are tried in no time on a graphics card; tools of today write at least so many or ten times more.
  private static let fewRounds = 10_000
  private static let soon: Int64 = 30 * 86_400

  init(_ contents: PKCS12Contents, now: Int64) {
    file =
      contents.protections.compactMap(Self.objection) + Self.objections(contents.mac, rounds: contents.fewestRounds)
    entries = contents.entries.map { Self.objections($0.identity, now: now) }
  }

  private static func objection(to protection: String) -> String? {
    switch protection {
    case "none": "a key lies open: no passphrase protects it"
    case "RC2-40", "RC4-40":
      "\(protection) has keys of 40 bits, which are found in minutes without the passphrase; rewrap the file, and take the key for known "
        + "where the file has been"
    case "RC2-128", "RC4-128", "3DES", "3DES with two keys":
      "\(protection) with the old key derivation of PKCS#12 is out of date, and some systems read it no more; rewrap the file"
    default:
      protection.hasPrefix("AES")
        ? nil : "\(protection) is not what systems of today protect keys with; rewrap the file"
    }
  }

  private static func objections(_ mac: PKCS12Contents.MAC?, rounds: Int?) -> [String] {
    var objections: [String] = []
    if let rounds, rounds < fewRounds {
      objections.append(
        "\(rounds) \(rounds == 1 ? "round" : "rounds") of key derivation let many passphrases be tried in a second; rewrap the file"
      )
    }
    switch mac?.algorithm {
    case nil: objections.append("without a MAC nothing proves that the file is whole")
    case "MD5"?, "SHA-1"?:
      objections.append("its MAC is made with \(mac?.algorithm ?? ""), which is out of date; rewrap the file")
    default: break
    }
    return objections
  }

  private static func objections(_ identity: Identity, now: Int64) -> [String] {
    var objections: [String] = []
    let leaf = identity.leaf
    if leaf.notAfter < now {
      objections.append("the certificate expired on \(CertificateReport.moment(leaf.notAfter))")
    } else if leaf.notAfter < now + soon {
      objections.append(
        "the certificate expires on \(CertificateReport.moment(leaf.notAfter)), in \((leaf.notAfter - now) / 86_400) days"
      )
    }
    if leaf.notBefore > now {
      objections.append("the certificate is not valid before \(CertificateReport.moment(leaf.notBefore))")
    }
    if leaf.key.isWeak {
      objections.append("the key has \(leaf.key.bits) bits; RSA 2048 or EC 256 is the least that is taken")
    }
    if [.md5, .sha1].contains(leaf.signatureHash) {
      objections.append("the certificate is signed with \(leaf.signatureHash == .md5 ? "MD5" : "SHA-1")")
    }
    if !leaf.mayAuthenticateClients {
      objections.append("the certificate's extended key usage does not permit to authenticate a client")
    }
    if identity.chain.isEmpty, !leaf.isSelfIssued {
      objections.append(
        "the certificate's issuer is not in the file: an origin that does not know it refuses the identity")
    }
    return objections
  }
}
