import Bytes
import Names
import Policy
import Records
import TLS

/// A report of pins that did not fit, ready to be posted to one address, in the form of TrustKit's reports (spec D.1).
struct PinReport {
  let address: TargetURL
  let body: [UInt8]
  /// Equal for reports that say the same, whenever they are made.
  let digest: [UInt8]

  /// What a report is about.
  struct Subject {
    let failure: PinFailure
    let host: Host
    let port: UInt16
    /// The chain that was judged, leaf first.
    let chain: [Certificate]
    /// Milliseconds since 1970.
    let time: Int64
    /// Stands for TrustKit's identifier of a device: of this run of the daemon.
    let sender: String
  }

  init(_ subject: Subject, to address: TargetURL, digest: [UInt8]) {
    self.address = address
    self.digest = digest
    body = Self.json(subject)
  }

  static func digest(of subject: Subject, to address: TargetURL) -> [UInt8] {
    let failure = subject.failure
    let text =
      "\(address) \(failure.source) \(failure.entry) \(failure.cause) \(failure.isEnforced) \(subject.host) \(subject.port)"
    return Digest.sha256(subject.chain.reduce(into: Array(text.utf8)) { $0 += $1.fingerprint })
  }

  private static func json(_ subject: Subject) -> [UInt8] {
    let out = ByteQueue()
    var json = JSONText(into: out)
    let failure = subject.failure
    json.beginObject()
    json.string("app-bundle-id", failure.app?.identifier ?? "pinwarden")
    json.string("app-version", failure.app?.version ?? "N/A")
    json.token("app-platform", "LINUX")
    json.token("app-platform-version", "N/A")
    json.string("app-vendor-id", subject.sender)
    json.token("trustkit-version", "N/A")
    json.string("date-time", "\(Timestamp.text(milliseconds: subject.time).prefix(19))Z")
    json.string("hostname", subject.host.text)
    json.integer("port", Int(subject.port))
    json.string("noted-hostname", failure.entry)
    json.boolean("include-subdomains", failure.includesSubdomains)
    json.boolean("enforce-pinning", failure.isEnforced)
    json.beginArray("validated-certificate-chain")
    for certificate in subject.chain { json.string(nil, certificate.pem) }
    json.endArray()
    json.beginArray("known-pins")
    for pin in failure.pins { json.string(nil, "pin-sha256=\"\(pin.base64)\"") }
    json.endArray()
    json.integer("validation-result", failure.cause.rawValue)
    if let day = failure.expiryDay { json.string("known-pins-expiration-date", day) }
    json.endObject()
    return Array(out.bytes)
  }
}
