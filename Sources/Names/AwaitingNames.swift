import CPSL
import Glibc

public enum NameFault: Error, Equatable { case empty, badCharacter }

public struct IPAddress: Hashable, Sendable {
  public let bytes: [UInt8]

  public init?(_ text: String) {
    var bytes = [UInt8](repeating: 0, count: 16)
    if inet_pton(AF_INET, text, &bytes) == 1 {
      self.bytes = Array(bytes.prefix(4))
    } else if inet_pton(AF_INET6, text, &bytes) == 1 {
      self.bytes = bytes
    } else {
      return nil
    }
  }
}

public struct Host: Hashable, Sendable {
  public let text: String
  public let address: IPAddress?
  public let hasTrailingDot: Bool

  public init(_ text: String) throws(NameFault) {
    guard !text.isEmpty else { throw .empty }
    guard !text.utf8.contains(0x20) else { throw .badCharacter }
    hasTrailingDot = text.hasSuffix(".")
    self.text = (hasTrailingDot ? String(text.dropLast()) : text).lowercased()
    address = IPAddress(self.text)
  }
}

public enum PublicSuffixes {
  public static func isPublicSuffix(_ name: String) -> Bool {
    psl_is_public_suffix(psl_builtin(), name) != 0
  }
}

public enum Scheme: String, Sendable, Hashable { case http, https, ws, wss }
