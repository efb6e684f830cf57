/// Text to bytes.
extension Charset {
  /// What stands for a character that an encoding lacks.
  public enum Substitute: Sendable {
    /// `&#N;`, as forms and pages have it (WHATWG Encoding, section 4.1, error mode "html").
    case reference
    case questionMark
  }

  /// The bytes of `text`, without a byte order mark. As the standard demands, what cannot be written is written as UTF-8: UTF-16 and
  /// `replacement` (section 4.3, "get an output encoding"). nil: iconv lacks the encoding.
  public func encode(_ text: String, substitute: Substitute) -> [UInt8]? {
    guard isASCIICompatible, self != .utf8 else { return Array(text.utf8) }
    guard let name = CharsetLabels.writingName(name), let converter = Converter(from: "UTF-8", to: name) else {
      return nil
    }
    var rest = Array(text.utf8)[...]
    let limit = rest.count * 4 + 64
    var bytes: [UInt8] = []
    while !rest.isEmpty {
      let (consumed, stop) = rest.withUnsafeBytes { converter.convert($0, into: &bytes, limit: limit) }
      rest = rest.dropFirst(consumed)
      guard case .invalid = stop, let scalar = String(decoding: rest.prefix(4), as: UTF8.self).unicodeScalars.first
      else { break }
      converter.finish(into: &bytes)
      bytes += substitute.bytes(of: scalar)
      rest = rest.dropFirst(UTF8.width(scalar))
    }
    converter.finish(into: &bytes)
    return bytes
  }
}

extension Charset.Substitute {
  fileprivate func bytes(of scalar: Unicode.Scalar) -> [UInt8] {
    switch self {
    case .reference: Array("&#\(scalar.value);".utf8)
    case .questionMark: [UInt8(ascii: "?")]
    }
  }
}
