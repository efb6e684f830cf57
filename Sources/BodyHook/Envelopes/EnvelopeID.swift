/// Names one body: 128 random bits that the script made, written as 32 lower-case hexadecimal digits.
public struct EnvelopeID: Hashable, Sendable {
  private let bytes: [UInt8]

  /// Nil for any other text.
  public init?(_ text: some Collection<UInt8>) {
    guard text.count == Self.digitCount, let bytes = Hexadecimal.decode(text) else { return nil }
    self.bytes = bytes
  }

  public static let digitCount = 32
}
