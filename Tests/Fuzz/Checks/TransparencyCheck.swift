import Policy

@testable import Configuration
@testable import TLS

/// Log lists, lists of timestamps, stapled responses and published issuers; the first byte says what the rest is.
enum TransparencyCheck {
  /// A leaf, its issuer, and a log, made once: reading needs something to read about.
  private static let subject: (leaf: Certificate, issuer: Certificate)? = {
    let moment: Int64 = 1_750_000_000
    guard let key = try? PrivateKey.generate(.p256) else { return nil }
    let authority = CertificateDraft(
      commonName: "Root", role: .authority(pathLength: nil), keyUsage: [.certificateSigning], notBefore: moment,
      notAfter: moment + 1_000)
    let server = CertificateDraft(
      commonName: "a.test", alternativeNames: [.dns("a.test")], role: .leaf, notBefore: moment, notAfter: moment + 1_000
    )
    guard let issuer = try? authority.selfSigned(with: key), let leaf = try? server.signed(for: key, by: issuer, key)
    else { return nil }
    return (leaf, issuer)
  }()

  @Sendable static func run(_ bytes: [UInt8]) throws(Complaint) {
    guard let first = bytes.first else { return }
    let rest = Array(bytes.dropFirst())
    switch first & 3 {
    case 0: try checkList(rest)
    case 1: try checkTimestamps(rest, staple: nil)
    case 2: try checkStaple(rest)
    default: try checkIssuers(rest)
    }
  }

  private static func checkList(_ bytes: [UInt8]) throws(Complaint) {
    let document = LogListReader.read(bytes)
    let hasError = document.faults.contains { $0.level == .error }
    try claim((document.list == nil) == hasError, "a list with errors, or none without")
    for fault in document.faults {
      try claim(!fault.message.isEmpty, "a fault without words")
      try claim((0...bytes.count).contains(fault.offset ?? 0), "a fault outside of the text")
    }
    guard let list = document.list else { return }
    try claim(list.published >= 0 && list.logs.values.contains { $0.isApproved }, "a list of no use")
    try claim(Set(list.logs.keys) == Set(document.keys.keys), "logs and keys differ")
    for (identifier, log) in list.logs {
      try claim(
        log.identifier == identifier && document.keys[identifier]?.logID == identifier, "a log with another's id")
      try claim(log.interval.map { $0.lowerBound < $0.upperBound } ?? true, "an empty interval")
    }
  }

  private static func checkTimestamps(_ bytes: [UInt8], staple: [UInt8]?) throws(Complaint) {
    guard let subject else { return }
    let found = TLS.SignedTimestamp.collect(
      leaf: subject.leaf, issuer: subject.issuer, handshake: bytes, staple: staple, logs: [:])
    try claim(found.count <= 64, "\(found.count) timestamps")
    try claim(!found.contains { $0.signature == .valid }, "a timestamp of no log is valid")
  }

  /// Nobody can sign for an issuer whose key is made anew with each run.
  private static func checkStaple(_ bytes: [UInt8]) throws(Complaint) {
    guard let subject else { return }
    let status = OCSPStaple.read(bytes, leaf: subject.leaf, issuer: subject.issuer, at: 1_750_000_500)
    guard case .unusable(let why) = status else {
      throw Complaint(description: "a response that nobody signed: \(status)")
    }
    try claim(!why.isEmpty, "no reason")
    try checkTimestamps([], staple: bytes)
  }

  private static func checkIssuers(_ bytes: [UInt8]) throws(Complaint) {
    guard let certificates = try? Certificate.parse(issuers: bytes) else { return }
    try claim((1...8).contains(certificates.count), "\(certificates.count) issuers")
    for certificate in certificates {
      let locations = certificate.issuerLocations
      try claim(locations.count <= 8 && locations.allSatisfy { $0.utf8.count <= 2_048 }, "locations without bounds")
      _ = (certificate.requiresStaple, certificate.namesServerAuthentication)
    }
  }
}
