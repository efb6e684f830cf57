import Bytes
import Foundation
import Records
import TLS

/// What the commands say about one certificate.
struct CertificateReport {
  private let certificate: Certificate

  init(_ certificate: Certificate) {
    self.certificate = certificate
  }

  /// SHA-256 of the SubjectPublicKeyInfo in base64, which every spelling contains.
  var digest: String { Data(certificate.spkiDigest).base64EncodedString() }

  /// Facts, then the five spellings of the pin, each on lines of its own so that it can be copied.
  func text(_ style: TextStyle) -> String {
    var text = facts.text(margin: "  ", style: style)
    for (name, lines) in spellings {
      text += "  " + style.painted(name, .bold) + "\n" + lines.reduce(into: "") { $0 += "    \($1)\n" }
    }
    return text
  }

  private var spellings: [(name: String, lines: [String])] {
    [
      ("OkHttp, pinwarden", ["sha256/\(digest)"]), ("curl", ["sha256//\(digest)"]),
      ("NSPinnedDomains", ["<key>SPKI-SHA256-BASE64</key>", "<string>\(digest)</string>"]),
      ("TrustKit, in kTSKPublicKeyHashes", ["<string>\(digest)</string>"]),
      ("network_security_config", ["<pin digest=\"SHA-256\">\(digest)</pin>"]),
    ]
  }

  /// Subject, issuer, validity, key and fingerprint.
  var facts: TextTable {
    var table = TextTable()
    table.add("subject", PlainText.oneLine(certificate.subject))
    table.add("issuer", PlainText.oneLine(certificate.issuer))
    if !certificate.dnsNames.isEmpty {
      table.add("names", PlainText.oneLine(certificate.dnsNames.prefix(8).joined(separator: ", ")))
    }
    table.add("valid", "\(Self.moment(certificate.notBefore)) to \(Self.moment(certificate.notAfter))")
    table.add("key", keyText)
    // In two halves, so that it fits.
    let (first, second) = (certificate.fingerprint.prefix(16), certificate.fingerprint.dropFirst(16))
    table.add("SHA-256", "\(PlainText.colons(Array(first))): \(PlainText.colons(Array(second)))")
    return table
  }

  /// Members for JSON: facts, and the pin in all spellings.
  func writePins(to json: inout JSONText) {
    writeMembers(to: &json)
    json.beginObject("pins")
    json.string("okhttp", "sha256/\(digest)")
    json.string("curl", "sha256//\(digest)")
    json.beginObject("nsPinnedDomains")
    json.string("SPKI-SHA256-BASE64", digest)
    json.endObject()
    json.string("trustKit", digest)
    json.string("networkSecurityConfig", "<pin digest=\"SHA-256\">\(digest)</pin>")
    json.endObject()
  }

  func writeMembers(to json: inout JSONText) {
    json.string("subject", certificate.subject)
    json.string("issuer", certificate.issuer)
    json.time("notBefore", milliseconds: Self.milliseconds(certificate.notBefore))
    json.time("notAfter", milliseconds: Self.milliseconds(certificate.notAfter))
    json.string("key", keyText)
    json.hexadecimal("sha256", certificate.fingerprint)
    json.string("spki", "sha256/\(digest)")
  }

  private var keyText: String {
    let key = certificate.key
    switch key.kind {
    case .rsa: return "RSA \(key.bits)"
    case .ec: return "EC \(key.bits)"
    case .ed25519: return "Ed25519"
    case .other(let name): return "\(PlainText.oneLine(name)) \(key.bits)"
    }
  }

  /// The day, such as `2026-03-01`.
  static func moment(_ seconds: Int64) -> String {
    let out = ByteQueue()
    Timestamp.append(milliseconds: milliseconds(seconds), to: out)
    return String(decoding: out.bytes.prefix(10), as: UTF8.self)
  }

  /// Clamped: certificates can name moments that no calendar has.
  private static func milliseconds(_ seconds: Int64) -> Int64 {
    let (product, overflows) = seconds.multipliedReportingOverflow(by: 1_000)
    return overflows ? (seconds < 0 ? .min : .max) : product
  }
}
