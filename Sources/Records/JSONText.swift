import Bytes

/// Writes one JSON document into a byte queue, member by member, without building a tree.
///
/// Used for records and for problem documents: both are written for every request that they concern, so nothing but the output
/// grows. Text that is not UTF-8 comes out repaired, never invalid. Owned by its caller; not Sendable.
public struct JSONText {
  let out: ByteQueue
  private var needsComma = false

  public init(into out: ByteQueue) {
    self.out = out
  }

  // MARK: structure

  public mutating func beginObject(_ key: StaticString? = nil) {
    begin(key, UInt8(ascii: "{"))
  }

  public mutating func endObject() {
    out.append(UInt8(ascii: "}"))
    needsComma = true
  }

  public mutating func beginArray(_ key: StaticString? = nil) {
    begin(key, UInt8(ascii: "["))
  }

  public mutating func endArray() {
    out.append(UInt8(ascii: "]"))
    needsComma = true
  }

  // MARK: members and elements (`key` nil inside an array)

  public mutating func string(_ key: StaticString?, _ value: String) {
    lead(key)
    quote(value)
  }

  /// A word that the program itself chose.
  public mutating func token(_ key: StaticString?, _ value: StaticString) {
    lead(key)
    quoteValid(UnsafeRawBufferPointer(start: value.utf8Start, count: value.utf8CodeUnitCount))
  }

  /// `scheme://authority` and a path as it was on the wire, as one string.
  public mutating func url(_ key: StaticString?, _ value: RecordURL) {
    lead(key)
    guard !value.scheme.isEmpty else { return value.path.withUnsafeBytes { quote($0) } }
    out.append(UInt8(ascii: "\""))
    out.append(value.scheme)
    out.append("://")
    out.append(value.authority)
    value.path.withUnsafeBytes { path in
      if PlainText.isPlain(path) {
        out.append(path)
      } else {
        var text = String(decoding: path, as: UTF8.self)
        text.withUTF8 { escape(UnsafeRawBufferPointer($0)) }
      }
    }
    out.append(UInt8(ascii: "\""))
  }

  /// Bytes that are meant to be UTF-8 text.
  public mutating func text(_ key: StaticString?, _ value: UnsafeRawBufferPointer) {
    lead(key)
    quote(value)
  }

  /// The string, or `null`.
  public mutating func optional(_ key: StaticString?, _ value: String?) {
    if let value { string(key, value) } else { null(key) }
  }

  public mutating func integer(_ key: StaticString?, _ value: Int) {
    lead(key)
    Self.append(value, to: out)
  }

  public mutating func boolean(_ key: StaticString?, _ value: Bool) {
    lead(key)
    if value { out.append("true") } else { out.append("false") }
  }

  public mutating func null(_ key: StaticString?) {
    lead(key)
    out.append("null")
  }

  /// A duration in milliseconds with three decimals; nil: `null`.
  public mutating func milliseconds(_ key: StaticString?, nanoseconds: UInt64?) {
    lead(key)
    guard let nanoseconds else {
      out.append("null")
      return
    }
    let microseconds = Int(clamping: nanoseconds / 1_000)
    Self.append(microseconds / 1_000, to: out)
    let rest = microseconds % 1_000
    out.append(UInt8(ascii: "."))
    out.append(UInt8(ascii: "0") + UInt8(rest / 100))
    out.append(UInt8(ascii: "0") + UInt8(rest / 10 % 10))
    out.append(UInt8(ascii: "0") + UInt8(rest % 10))
  }

  /// A moment as RFC 3339 with milliseconds, UTC.
  public mutating func time(_ key: StaticString?, milliseconds: Int64) {
    lead(key)
    out.append(UInt8(ascii: "\""))
    Timestamp.append(milliseconds: milliseconds, to: out)
    out.append(UInt8(ascii: "\""))
  }

  public mutating func hexadecimal(_ key: StaticString?, _ bytes: [UInt8]) {
    lead(key)
    out.append(UInt8(ascii: "\""))
    for byte in bytes {
      out.append(Self.digit(byte >> 4))
      out.append(Self.digit(byte & 15))
    }
    out.append(UInt8(ascii: "\""))
  }

  /// The sixteen digits of a number.
  public mutating func hexadecimal(_ key: StaticString?, _ value: UInt64) {
    lead(key)
    out.append(upTo: 18) { room in
      room[0] = UInt8(ascii: "\"")
      for index in 0..<16 {
        room[index + 1] = Self.digit(UInt8(truncatingIfNeeded: value >> UInt64(60 - 4 * index)) & 15)
      }
      room[17] = UInt8(ascii: "\"")
      return 18
    }
  }

  /// A member whose name is only known at run time.
  public mutating func string(named key: String, _ value: String) {
    lead(named: key)
    quote(value)
  }

  public mutating func beginObject(named key: String) {
    lead(named: key)
    open(UInt8(ascii: "{"))
  }

  public mutating func integer(named key: String, _ value: Int) {
    lead(named: key)
    Self.append(value, to: out)
  }

  // MARK: private

  private mutating func begin(_ key: StaticString?, _ bracket: UInt8) {
    lead(key)
    open(bracket)
  }

  /// Writes the bracket of an array or object whose place has been made.
  mutating func open(_ bracket: UInt8) {
    out.append(bracket)
    needsComma = false
  }

  mutating func lead(_ key: StaticString?) {
    let comma = needsComma ? 1 : 0
    needsComma = true
    guard let key else {
      if comma > 0 { out.append(UInt8(ascii: ",")) }
      return
    }
    let count = key.utf8CodeUnitCount
    out.append(upTo: count + 4) { room in
      room[0] = UInt8(ascii: ",")
      room[comma] = UInt8(ascii: "\"")
      UnsafeMutableRawBufferPointer(rebasing: room[(comma + 1)...])
        .copyMemory(from: UnsafeRawBufferPointer(start: key.utf8Start, count: count))
      room[comma + count + 1] = UInt8(ascii: "\"")
      room[comma + count + 2] = UInt8(ascii: ":")
      return comma + count + 3
    }
  }

  mutating func lead(named key: String) {
    if needsComma { out.append(UInt8(ascii: ",")) }
    needsComma = true
    quote(key)
    out.append(UInt8(ascii: ":"))
  }

  func quote(_ value: String) {
    var value = value
    value.withUTF8 { quoteValid(UnsafeRawBufferPointer($0)) }
  }

  private func quote(_ bytes: UnsafeRawBufferPointer) {
    if PlainText.isPlain(bytes) || bytes.allSatisfy({ $0 < 0x80 }) {
      quoteValid(bytes)
    } else {
      quote(String(decoding: bytes, as: UTF8.self))
    }
  }

  /// Escapes what RFC 8259, section 7, demands, and DEL. Runs of plain bytes are copied at once.
  private func quoteValid(_ bytes: UnsafeRawBufferPointer) {
    guard !PlainText.isPlain(bytes) else {
      return out.append(upTo: bytes.count + 2) { room in
        room[0] = UInt8(ascii: "\"")
        UnsafeMutableRawBufferPointer(rebasing: room[1...]).copyMemory(from: bytes)
        room[bytes.count + 1] = UInt8(ascii: "\"")
        return bytes.count + 2
      }
    }
    out.append(UInt8(ascii: "\""))
    escape(bytes)
    out.append(UInt8(ascii: "\""))
  }

  private func escape(_ bytes: UnsafeRawBufferPointer) {
    var start = 0
    for index in 0..<bytes.count {
      let byte = bytes[index]
      guard byte < 0x20 || byte == 0x22 || byte == 0x5C || byte == 0x7F else { continue }
      out.append(UnsafeRawBufferPointer(rebasing: bytes[start..<index]))
      start = index + 1
      switch byte {
      case 0x22: out.append("\\\"")
      case 0x5C: out.append("\\\\")
      case 0x0A: out.append("\\n")
      case 0x0D: out.append("\\r")
      case 0x09: out.append("\\t")
      default:
        out.append("\\u00")
        out.append(Self.digit(byte >> 4))
        out.append(Self.digit(byte & 15))
      }
    }
    out.append(UnsafeRawBufferPointer(rebasing: bytes[start...]))
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }

  /// Decimal digits without a String.
  static func append(_ value: Int, to out: ByteQueue) {
    if value < 0 { out.append(UInt8(ascii: "-")) }
    var rest = value.magnitude
    withUnsafeTemporaryAllocation(byteCount: 20, alignment: 1) { room in
      var position = 20
      repeat {
        position -= 1
        room[position] = UInt8(ascii: "0") + UInt8(rest % 10)
        rest /= 10
      } while rest > 0
      out.append(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(room)[position...]))
    }
  }
}
