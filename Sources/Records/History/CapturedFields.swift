/// The fields of a message, copied into one block of bytes on the loop that carries the message, and made into text by whoever reads
/// them. Values that are secret (contract, section 5) never get in.
public struct CapturedFields: Sendable, Hashable {
  /// Each field: the byte counts of its name and its value (4 bytes each, little-endian), then both.
  private var bytes: [UInt8] = []

  public init() {}

  public init(_ fields: [CapturedMessage.Field]) {
    for field in fields {
      var (name, value) = (field.name, field.value)
      name.withUTF8 { name in
        value.withUTF8 { value in append(name: UnsafeRawBufferPointer(name), value: UnsafeRawBufferPointer(value)) }
      }
    }
  }

  /// What the block takes.
  public var byteCount: Int { bytes.count }

  public var isEmpty: Bool { bytes.isEmpty }

  /// Makes room for so many fields whose names and values have so many bytes together, so that appending them does not allocate.
  public mutating func reserve(fieldCount: Int, byteCount: Int) {
    bytes.reserveCapacity(bytes.count + byteCount + 8 * fieldCount)
  }

  public mutating func append(name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) {
    guard !SecretFields.contain(name) else {
      return CapturedMessage.Field.redactedText.withUTF8Buffer { put(name, UnsafeRawBufferPointer($0)) }
    }
    put(name, value)
  }

  public mutating func append(_ others: CapturedFields) {
    bytes.append(contentsOf: others.bytes)
  }

  private mutating func put(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
    let counts =
      UInt64(UInt32(truncatingIfNeeded: name.count)) | UInt64(UInt32(truncatingIfNeeded: value.count)) << 32
    withUnsafeBytes(of: counts.littleEndian) { bytes.append(contentsOf: $0) }
    bytes.append(contentsOf: name)
    bytes.append(contentsOf: value)
  }

  /// In the order of the message; what is not UTF-8 is replaced.
  public var fields: [CapturedMessage.Field] {
    var found: [CapturedMessage.Field] = []
    var rest = bytes[...]
    while rest.count >= 8 {
      let counts = rest.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
      rest = rest.dropFirst(8)
      let name = rest.prefix(Int(counts & 0xFFFF_FFFF))
      rest = rest.dropFirst(name.count)
      let value = rest.prefix(Int(counts >> 32))
      rest = rest.dropFirst(value.count)
      found.append(
        CapturedMessage.Field(
          name: String(decoding: name, as: UTF8.self), value: String(decoding: value, as: UTF8.self)))
    }
    return found
  }
}
