import Policy
import TLS

/// A certificate, or a folder of them, as pins: their keys, so that a renewed certificate with the same key still fits.
extension ImportReader {
  func certificates() -> [ImportedPolicy]? {
    guard !settings.hosts.isEmpty else {
      return entry.reject(
        "certificates name no hosts to import pins for; write { file: \"\(name)\", hosts: [\"**.example.com\"] } "
          + "(or use them as `certificates` of a trust policy)")
    }
    guard let found = place.certificatesOfFileOrFolder() else { return nil }
    let pins = Set(found.map { Pin(of: CertificateFacts($0)) })
    guard !pins.isEmpty else { return place.reject("`\(name)` has no certificate, and so no origin could match") }
    if pins.count == 1 {
      place.report(.note, "there is one key and no backup: a new key at the origin locks clients out")
    }
    let entries = settings.hosts.map { PatternPins.Entry(pattern: $0, pins: pins) }
    return [policy(.certificates, .patterns(PatternPins(entries)))]
  }
}
