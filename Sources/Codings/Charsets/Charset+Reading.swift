/// Bytes to text.
extension Charset {
  /// The text that `bytes` stand for, without a byte order mark. What is no character becomes U+FFFD, an unfinished one at the end
  /// too. nil: iconv lacks the encoding.
  public func decode(_ bytes: some Collection<UInt8>) -> String? {
    var bytes = Array(bytes)[...]
    if Charset(byteOrderMark: bytes) == self { bytes = bytes.dropFirst(self == .utf8 ? 3 : 2) }
    if self == .utf8 { return String(decoding: bytes, as: UTF8.self) }
    guard let name = CharsetLabels.readingName(name), let converter = Converter(from: name, to: "UTF-8") else {
      return nil
    }
    // A unit of UTF-16 becomes three bytes at most, any other byte as well.
    let limit = bytes.count * 4 + 16
    var text: [UInt8] = []
    while !bytes.isEmpty {
      let (consumed, stop) = bytes.withUnsafeBytes { converter.convert($0, into: &text, limit: limit) }
      bytes = bytes.dropFirst(consumed)
      // Where characters combine, the last one waits for what follows.
      converter.finish(into: &text)
      if case .done = stop { break }
      text += Array("\u{FFFD}".utf8)
      guard case .invalid = stop else { break }
      bytes = bytes.dropFirst(unitByteCount)
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The smallest step by which a reader gets over what is no character.
  private var unitByteCount: Int { self == .utf16LE || self == .utf16BE ? 2 : 1 }
}
