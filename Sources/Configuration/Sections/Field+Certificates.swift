import Foundation
import Policy
import TLS

/// Certificates and keys in files.
extension Field {
  /// The file names that count as certificates in a folder.
  private static let extensions = [".cer", ".crt", ".der", ".pem"]

  /// The certificates of one file, PEM or DER; at least one.
  func certificates() -> [Certificate]? {
    guard let (bytes, path) = contents() else { return nil }
    return certificates(in: bytes, of: path)
  }

  /// The certificates of one file, or of the files in one folder whose names look like certificates.
  func certificatesOfFileOrFolder() -> [Certificate]? {
    guard let path = filePath() else { return nil }
    guard FileContents.isFolder(path) else {
      return contents(of: path).flatMap { certificates(in: $0, of: path) }
    }
    let names: [String]
    do throws(FileFault) {
      names = try FileContents.names(in: path)
    } catch {
      return reject("cannot read the folder `\(path)`: \(error)")
    }
    let chosen = names.filter { name in Self.extensions.contains { name.lowercased().hasSuffix($0) } }
    if chosen.isEmpty {
      report(.warning, "the folder `\(path)` holds no certificate (\(Self.extensions.joined(separator: ", ")))")
    }
    return chosen.flatMap { name -> [Certificate] in
      let file = path.hasSuffix("/") ? path + name : "\(path)/\(name)"
      return contents(of: file).flatMap { certificates(in: $0, of: file) } ?? []
    }
  }

  private func certificates(in bytes: [UInt8], of path: String) -> [Certificate]? {
    do throws(TLSFileFault) {
      return try Certificate.parse(pemOrDER: bytes)
    } catch {
      return reject("`\(path)` cannot be used: \(error)")
    }
  }

  func privateKey(passphrase: [UInt8]?) -> PrivateKey? {
    guard let (bytes, path) = keyMaterial() else { return nil }
    do throws(TLSFileFault) {
      return try PrivateKey(pem: bytes, passphrase: passphrase)
    } catch {
      return reject("the key\(path.map { " in `\($0)`" } ?? "") cannot be used: \(error)")
    }
  }

  /// Says when a certificate has expired, soon will, or does not count yet.
  func warnOfDates(_ certificate: Certificate, what: String) {
    if certificate.notAfter < reading.now {
      report(.warning, "\(what) (\(certificate.subject)) expired on \(Self.day(certificate.notAfter))")
    } else if certificate.notBefore > reading.now {
      report(.warning, "\(what) (\(certificate.subject)) is valid only from \(Self.day(certificate.notBefore)) on")
    } else if certificate.notAfter < reading.now + 14 * 86_400 {
      report(.note, "\(what) (\(certificate.subject)) expires on \(Self.day(certificate.notAfter))")
    }
  }

  static func day(_ seconds: Int64) -> String { day(Date(timeIntervalSince1970: Double(seconds))) }

  private static func day(_ date: Date) -> String { date.formatted(.iso8601.year().month().day()) }

  /// A day (`2030-01-31`, its beginning in UTC) or a moment of RFC 3339, in seconds since 1970.
  func moment() -> Int64? {
    let expected = "a date such as \"2030-01-31\" or \"2030-01-31T12:00:00Z\" is expected"
    guard let text = string(expected) else { return nil }
    let dayText = String(text.prefix(10))
    // Foundation takes 30 February for a day in March; a date that does not come back as it was written is a mistake.
    guard let day = try? Date(dayText, strategy: .iso8601.year().month().day()), Self.day(day) == dayText,
      let date = text == dayText ? day : try? Date(text, strategy: .iso8601)
    else { return reject("\(shown) is no date; \(expected)") }
    return Int64(date.timeIntervalSince1970.rounded(.down))
  }
}
