import COpenSSL
import Foundation

@testable import TLS

/// A log of Certificate Transparency that promises whatever it is asked to.
struct TestLog {
  struct Fault: Error {}

  let name: String
  private let key: PrivateKey
  private let spki: [UInt8]

  init(_ name: String) throws {
    self.name = name
    let key = try PrivateKey.generate(.p256)
    self.key = key
    spki = LibraryBytes.encoded { i2d_PUBKEY(key.pointer, $0) } ?? []
  }

  /// A timestamp as it is sent (RFC 6962 section 3.2), made an hour ago.
  func timestamp(_ entry: LogEntry) throws -> [UInt8] {
    let milliseconds = UInt64(PKI.now - 3_600) * 1_000
    let time = (0..<8).map { UInt8(truncatingIfNeeded: milliseconds >> (56 - 8 * UInt64($0))) }
    let signature = try sign([0, 0] + time + entry.bytes + [0, 0])
    return [0] + Digest.sha256(spki) + time + [0, 0, 4, 3] + Self.vector(signature)
  }

  /// A `SignedCertificateTimestampList`.
  static func list(_ timestamps: [[UInt8]]) -> [UInt8] { vector(timestamps.flatMap { vector($0) }) }

  /// A list of logs in JSON, each of an operator of its own.
  static func json(_ logs: [TestLog], published: Int64 = PKI.now) -> String {
    let operators = logs.map { log in
      """
      { "name": "\(log.name) operator", "logs": [{ "description": "\(log.name)", "key": "\(Data(log.spki).base64EncodedString())",
        "state": { "usable": { "timestamp": "2020-01-01T00:00:00Z" } } }] }
      """
    }
    let moment = ISO8601DateFormatter().string(from: Date(timeIntervalSince1970: Double(published)))
    return "{ \"log_list_timestamp\": \"\(moment)\", \"operators\": [\(operators.joined(separator: ", "))] }"
  }

  private static func vector(_ bytes: [UInt8]) -> [UInt8] {
    [UInt8(bytes.count >> 8), UInt8(bytes.count & 255)] + bytes
  }

  private func sign(_ content: [UInt8]) throws -> [UInt8] {
    guard let context = EVP_MD_CTX_new() else { throw Fault() }
    defer { EVP_MD_CTX_free(context) }
    var signature = [UInt8](repeating: 0, count: 128)
    var count = signature.count
    guard EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key.pointer) == 1,
      EVP_DigestSign(context, &signature, &count, content, content.count) == 1
    else { throw Fault() }
    return Array(signature.prefix(count))
  }
}
