import Foundation
import Testing

@testable import TLS

/// The certificates and keys in `Data/wire`. They are valid for thirty years from 2026.
enum Credentials {
  static func certificate(_ name: String) throws -> Certificate {
    try #require(try Certificate.parse(pemOrDER: bytes("\(name).pem")).first)
  }

  static func identity(_ name: String, chain: [String] = []) throws -> Identity {
    Identity(
      name: name, leaf: try certificate(name), chain: try chain.map { try certificate($0) },
      key: try PrivateKey(pem: bytes("\(name).key"), passphrase: nil))
  }

  private static func bytes(_ file: String) throws -> [UInt8] {
    let folder = try #require(Bundle.module.resourceURL)
    return Array(try Data(contentsOf: folder.appendingPathComponent("Data/wire/\(file)")))
  }
}
