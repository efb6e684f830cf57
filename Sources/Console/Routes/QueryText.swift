/// Names and values of a query or a form (application/x-www-form-urlencoded).
struct QueryText {
  /// More pairs than any page of the console sends.
  private static let pairLimit = 64

  private var pairs: [(name: String, value: String)] = []

  /// nil: something in it is not percent-encoded UTF-8, or there are too many pairs.
  init?(_ text: some StringProtocol) {
    guard !text.isEmpty else { return }
    let parts = text.utf8.split(separator: UInt8(ascii: "&"), maxSplits: Self.pairLimit)
    guard parts.count <= Self.pairLimit else { return nil }
    for part in parts {
      let sides = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard let first = sides.first, let name = Self.decode(Array(first)),
        let value = Self.decode(sides.count > 1 ? Array(sides[1]) : [])
      else { return nil }
      pairs.append((name, value))
    }
  }

  /// The value of a name that is given once; nil: it is not given, or more than once.
  subscript(name: String) -> String? {
    let found = pairs.filter { $0.name == name }
    return found.count == 1 ? found.first?.value : nil
  }

  var names: [String] { pairs.map(\.name) }

  private static func decode(_ bytes: [UInt8]) -> String? {
    var decoded: [UInt8] = []
    var rest = bytes[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "+"): decoded.append(UInt8(ascii: " "))
      case UInt8(ascii: "%"):
        guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else { return nil }
        decoded.append(high << 4 | low)
      default: decoded.append(byte)
      }
    }
    return String(validating: decoded, as: UTF8.self)
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    Character(UnicodeScalar(byte)).hexDigitValue.flatMap { UInt8(exactly: $0) }
  }
}
