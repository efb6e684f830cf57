/// The version of the operating system whose rules hold, such as `18.4`.
///
/// Only major and minor tell rules apart; a third number is accepted and dropped.
public struct OSVersion: Sendable, Hashable, Comparable, CustomStringConvertible {
  public let major: Int
  public let minor: Int

  public init(major: Int, minor: Int) {
    self.major = major
    self.minor = minor
  }

  /// Reads `18`, `18.4` or `18.4.1`; nil for anything else and for numbers above 999.
  public init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard (1...3).contains(parts.count) else { return nil }
    var numbers: [Int] = []
    for part in parts {
      guard (1...3).contains(part.utf8.count), part.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
        let number = Int(part)
      else { return nil }
      numbers.append(number)
    }
    guard let major = numbers.first, major > 0 else { return nil }
    self.init(major: major, minor: numbers.count > 1 ? numbers[1] : 0)
  }

  public var description: String { "\(major).\(minor)" }

  public static func < (one: OSVersion, other: OSVersion) -> Bool {
    (one.major, one.minor) < (other.major, other.minor)
  }
}
