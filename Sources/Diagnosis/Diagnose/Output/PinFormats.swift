import Foundation
import Policy

/// The pins of a chain as everybody writes them, ready to be pasted for one host.
public struct PinFormats: Sendable, Equatable {
  /// SHA-256 of each SubjectPublicKeyInfo in base64, leaf first.
  public let digests: [String]
  private let host: String

  /// - Parameter chain: the path that was built, or what was sent where there is none.
  init(_ chain: [CertificateFacts], host: String) {
    digests = chain.map { Data($0.spkiDigest).base64EncodedString() }
    self.host = host
  }

  public var okHttp: [String] { digests.map { "sha256/\($0)" } }

  /// `--pinnedpubkey` of curl.
  public var curl: String { digests.map { "sha256//\($0)" }.joined(separator: ";") }

  /// An entry of `NSPinnedDomains`.
  public var pinnedDomains: PropertyValue {
    func identities(_ digests: some Sequence<String>) -> PropertyValue {
      .array(digests.map { .dictionary(["SPKI-SHA256-BASE64": .string($0)]) })
    }
    var entry = ["NSPinnedLeafIdentities": identities(digests.prefix(1))]
    if digests.count > 1 { entry["NSPinnedCAIdentities"] = identities(digests.dropFirst()) }
    return .dictionary([host: .dictionary(entry)])
  }

  /// `kTSKPublicKeyHashes` of TrustKit.
  public var trustKit: [String] { digests }

  /// A `pin-set` of Android's network_security_config.
  public var networkSecurityConfig: String {
    "<pin-set>" + digests.map { "<pin digest=\"SHA-256\">\($0)</pin>" }.joined() + "</pin-set>"
  }
}
