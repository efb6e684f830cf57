/// One part of a body, as it comes in the fields of a request without a body.
public struct UploadPart: Sendable, Equatable {
  public let identifier: EnvelopeID
  public let index: Int
  public let count: Int
  public let bytes: [UInt8]
  /// The first part says what the whole is.
  public let meta: EnvelopeMeta?

  public init(_ fields: HookFields) throws(EnvelopeFault) {
    guard let text = fields.identifier, let identifier = EnvelopeID(text) else {
      throw .malformed("the identifier is not one of 32 hexadecimal digits")
    }
    self.identifier = identifier
    guard let number = fields.number, let place = Self.place(number) else {
      throw .malformed("which part this is does not stand there as in 3/17, or there are more than \(Self.countLimit)")
    }
    (index, count) = place
    guard let bytes = Base64URL.decode(fields.data ?? []) else { throw .malformed("the part is not base64url") }
    // A protocol on the device may cut long fields short.
    guard Self.number(fields.size ?? []) == bytes.count else {
      throw .malformed("the part does not have the length that it says")
    }
    self.bytes = bytes
    meta = if let text = fields.meta { try EnvelopeMeta(text) } else { nil }
    guard (index == 0) == (meta != nil) else {
      throw .malformed("the first part, and no other, says what the body is")
    }
  }

  /// More parts than the largest body has that may be configured, in pieces of 8 KiB.
  static let countLimit = 1 << 18

  private static func place(_ text: ArraySlice<UInt8>) -> (index: Int, count: Int)? {
    guard let slash = text.firstIndex(of: UInt8(ascii: "/")), let index = number(text[..<slash]),
      let count = number(text[(slash + 1)...]), index < count, count <= countLimit
    else { return nil }
    return (index, count)
  }

  /// Up to nine digits.
  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    guard !digits.isEmpty, digits.count <= 9 else { return nil }
    var number = 0
    for digit in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
      number = number * 10 + Int(digit - UInt8(ascii: "0"))
    }
    return number
  }
}
