/// A number of seconds as fields have it: digits and nothing else. What is too large counts as 2^31 (RFC 9111, section 1.2.2).
struct DeltaSeconds: Equatable {
  static let limit = 1 << 31

  let value: Int

  init?(_ text: String) {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    value = text.utf8.reduce(0) { min($0 * 10 + Int($1 - 0x30), Self.limit) }
  }
}
