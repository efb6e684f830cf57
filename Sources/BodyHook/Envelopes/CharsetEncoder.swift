import Glibc

/// Writes text in the charset of a page, as forms are written: what the charset does not have becomes `&#N;` (Encoding Standard, "html" mode).
///
/// Confined to its owner.
final class CharsetEncoder {
  /// nil: UTF-8, which is there already.
  private let converter: iconv_t?

  /// - Parameter charset: a name of the Encoding Standard. One that is unknown is taken for UTF-8, as are UTF-16 and `replacement`, in
  ///   which no form is ever sent.
  init(charset: String) {
    let failed = iconv_t(bitPattern: -1)
    guard let name = Self.iconvName(charset.lowercased()), let opened = iconv_open(name, "UTF-8"), opened != failed
    else {
      converter = nil
      return
    }
    converter = opened
  }

  deinit {
    if let converter { iconv_close(converter) }
  }

  /// Names that iconv knows otherwise, or by which browsers mean more than the standard of that name.
  private static func iconvName(_ charset: String) -> String? {
    switch charset {
    case "utf-8", "utf-16le", "utf-16be", "replacement", "x-user-defined", "": nil
    case "shift_jis": "CP932"
    case "euc-kr": "CP949"
    case "big5": "BIG5-HKSCS"
    case "euc-jp": "EUC-JP-MS"
    case "x-mac-cyrillic": "MAC-UKRAINIAN"
    case "windows-874": "CP874"
    case "iso-8859-8-i": "ISO-8859-8"
    default: charset
    }
  }

  func encode(_ text: String) -> [UInt8] {
    guard let converter else { return Array(text.utf8) }
    var encoded: [UInt8] = []
    for scalar in text.unicodeScalars {
      if !append(Array(String(Character(scalar)).utf8), converter, to: &encoded) {
        reset(converter, &encoded)
        encoded += Array("&#\(scalar.value);".utf8)
      }
    }
    reset(converter, &encoded)
    return encoded
  }

  /// - Returns: false: the charset does not have it.
  private func append(_ scalar: [UInt8], _ converter: iconv_t, to encoded: inout [UInt8]) -> Bool {
    var input = scalar.map { CChar(bitPattern: $0) }
    let written = Self.output { place, room in
      input.withUnsafeMutableBufferPointer { buffer in
        var start = buffer.baseAddress
        var left = buffer.count
        // A count of conversions that cannot be undone is a replacement that browsers do not make.
        return iconv(converter, &start, &left, &place, &room) == 0
      }
    }
    guard let written else { return false }
    encoded += written
    return true
  }

  /// Goes back to the first state of a charset that has several.
  private func reset(_ converter: iconv_t, _ encoded: inout [UInt8]) {
    encoded += Self.output { place, room in iconv(converter, nil, nil, &place, &room) == 0 } ?? []
  }

  /// What `convert` writes into a little room; nil: it failed.
  private static func output(_ convert: (inout UnsafeMutablePointer<CChar>?, inout Int) -> Bool) -> [UInt8]? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 32) { room in
      var place = room.baseAddress
      var left = room.count
      guard convert(&place, &left) else { return nil }
      return room.prefix(room.count - left).map { UInt8(bitPattern: $0) }
    }
  }
}
