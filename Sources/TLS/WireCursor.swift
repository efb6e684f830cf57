/// Reads the presentation language of TLS (RFC 8446 section 3) from the front of borrowed bytes. Every read is checked; nil means
/// that there was not enough.
internal struct WireCursor {
  private var bytes: UnsafeRawBufferPointer

  internal init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  /// What is left.
  internal var count: Int { bytes.count }

  internal mutating func byte() -> UInt8? {
    guard let first = bytes.first else { return nil }
    bytes = UnsafeRawBufferPointer(rebasing: bytes.dropFirst())
    return first
  }

  internal mutating func uint16() -> UInt16? {
    guard bytes.count >= 2, let high = byte(), let low = byte() else { return nil }
    return UInt16(high) << 8 | UInt16(low)
  }

  internal mutating func skip(_ count: Int) -> Bool {
    take(count) != nil
  }

  /// A vector with a length of one byte.
  internal mutating func vector8() -> WireCursor? {
    byte().flatMap { take(Int($0)) }
  }

  /// A vector with a length of two bytes.
  internal mutating func vector16() -> WireCursor? {
    uint16().flatMap { take(Int($0)) }
  }

  /// All that is left as text, if it is visible ASCII and not empty.
  internal var visibleText: String? {
    guard !bytes.isEmpty, bytes.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  private mutating func take(_ count: Int) -> WireCursor? {
    guard count <= bytes.count else { return nil }
    let taken = WireCursor(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
    bytes = UnsafeRawBufferPointer(rebasing: bytes[count...])
    return taken
  }
}
