/// The version of the operating system whose rules hold, such as `18.4`.
///
/// Only major and minor tell rules apart, and they alone count when versions are compared.
public struct OSVersion: Sendable {
  public let major: Int
  public let minor: Int
  /// As written: `9`, `18.4`, `26.4.1`.
  private let text: String

  public init(major: Int, minor: Int) {
    self.major = major
    self.minor = minor
    text = "\(major).\(minor)"
  }

  /// Reads `18`, `18.4` or `18.4.1`; nil for anything else, for numbers above 999 and for numbers with a leading zero.
  public init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard (1...3).contains(parts.count) else { return nil }
    var numbers: [Int] = []
    for part in parts {
      guard let number = Self.number(part) else { return nil }
      numbers.append(number)
    }
    guard let major = numbers.first, major > 0 else { return nil }
    self.major = major
    minor = numbers.count > 1 ? numbers[1] : 0
    self.text = text
  }

  private static func number(_ text: Substring) -> Int? {
    guard (1...3).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      text.utf8.count == 1 || text.utf8.first != UInt8(ascii: "0")
    else { return nil }
    return Int(text)
  }
}

extension OSVersion: Hashable, Comparable {
  public static func == (one: OSVersion, other: OSVersion) -> Bool {
    (one.major, one.minor) == (other.major, other.minor)
  }

  public static func < (one: OSVersion, other: OSVersion) -> Bool {
    (one.major, one.minor) < (other.major, other.minor)
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(major)
    hasher.combine(minor)
  }
}

extension OSVersion: CustomStringConvertible {
  public var description: String { text }
}
