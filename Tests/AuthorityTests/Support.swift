import Glibc
import Synchronization
import TLS
import Testing

@testable import Authority

/// A folder of its own for one test, removed with the value.
final class TemporaryFolder {
  let path: String

  init() throws {
    var template = Array("/tmp/authority-tests-XXXXXX".utf8CString)
    try #require(mkdtemp(&template) != nil)
    path = String(decoding: template.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    for name in names { unlink("\(path)/\(name)") }
    rmdir(path)
  }

  /// Sorted.
  var names: [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  func mode(_ name: String) -> mode_t {
    var status = stat()
    return stat("\(path)/\(name)", &status) == 0 ? status.st_mode & 0o7777 : 0
  }

  func write(_ text: String, to name: String) throws {
    try StateFolder(directory: path).replace("\(path)/\(name)", with: Array(text.utf8), mode: 0o600)
  }

  func read(_ name: String) throws -> [UInt8] {
    try #require(try StateFolder(directory: path).read("\(path)/\(name)")).bytes
  }
}

enum Time {
  static let day: Int64 = 86_400
  static let now: Int64 = 1_750_000_000
}

extension CertificateAuthority {
  /// One of the kind that is made at the first start.
  static func made(now: Int64 = Time.now) throws -> CertificateAuthority {
    let key = try PrivateKey.generate(.p256)
    return try CertificateAuthority(certificate: makeCertificate(for: key, now: now), key: key)
  }
}
