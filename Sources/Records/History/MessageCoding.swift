import Bytes

/// How a captured message lies in the store: one byte of flags, the number of fields, for each the lengths and bytes of name and
/// value, and then the body. Numbers are 32 bits, the least significant byte first.
enum MessageCoding {
  private static let truncated: UInt8 = 1

  static func append(_ message: CapturedMessage, to out: ByteQueue) {
    out.append(message.isTruncated ? truncated : 0)
    append(message.fields.count, to: out)
    for field in message.fields {
      append(field.name, to: out)
      append(field.value, to: out)
    }
    out.append(message.body)
  }

  /// nil: the bytes are no message.
  static func message(_ bytes: [UInt8]) -> CapturedMessage? {
    var rest = bytes[...]
    guard let flags = rest.popFirst(), let count = number(&rest) else { return nil }
    var fields: [CapturedMessage.Field] = []
    for _ in 0..<count {
      guard let name = text(&rest), let value = text(&rest) else { return nil }
      fields.append(CapturedMessage.Field(name: name, value: value))
    }
    return CapturedMessage(fields: fields, body: Array(rest), isTruncated: flags & truncated != 0)
  }

  private static func append(_ number: Int, to out: ByteQueue) {
    let number = UInt32(clamping: number)
    for shift in [0, 8, 16, 24] as [UInt32] { out.append(UInt8(truncatingIfNeeded: number >> shift)) }
  }

  private static func append(_ text: String, to out: ByteQueue) {
    append(text.utf8.count, to: out)
    out.append(text)
  }

  private static func number(_ rest: inout ArraySlice<UInt8>) -> Int? {
    guard rest.count >= 4 else { return nil }
    defer { rest = rest.dropFirst(4) }
    return rest.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  private static func text(_ rest: inout ArraySlice<UInt8>) -> String? {
    guard let count = number(&rest), count <= rest.count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return String(decoding: rest.prefix(count), as: UTF8.self)
  }
}
