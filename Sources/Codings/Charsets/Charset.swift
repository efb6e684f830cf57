/// A character encoding of the web (WHATWG Encoding, section 4.2), read and written through iconv.
///
/// For short texts: form fields, previews of bodies. Bodies on their way are never converted.
public struct Charset: Hashable, Sendable {
  /// The standard's name, in lower case.
  public let name: String

  public static let utf8 = Charset(name: "utf-8")
  public static let utf16LE = Charset(name: "utf-16le")
  public static let utf16BE = Charset(name: "utf-16be")
  /// What a page without any declaration is read as in most locales.
  public static let windows1252 = Charset(name: "windows-1252")

  private init(name: String) {
    self.name = name
  }

  /// - Parameter label: as in `charset=`, in any case, with blanks around it; nil for what the standard does not know.
  public init?(label: some StringProtocol) {
    let blanks = Set("\t\n\u{0C}\r ".unicodeScalars)
    var scalars = Array(label.unicodeScalars)[...]
    while let first = scalars.first, blanks.contains(first) { scalars.removeFirst() }
    while let last = scalars.last, blanks.contains(last) { scalars.removeLast() }
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars)
    guard let name = CharsetLabels.name(of: String(text).lowercased()) else { return nil }
    self.init(name: name)
  }

  /// What a byte order mark at the front of `bytes` says; it has precedence over any declaration.
  public init?(byteOrderMark bytes: some Collection<UInt8>) {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      self = .utf8
    } else if bytes.starts(with: [0xFE, 0xFF]) {
      self = .utf16BE
    } else if bytes.starts(with: [0xFF, 0xFE]) {
      self = .utf16LE
    } else {
      return nil
    }
  }

  /// The charset that a media type declares, as `text/html; charset="gbk"` does; nil: none that is known.
  public init?(mediaType: some StringProtocol) {
    for parameter in mediaType.split(separator: ";").dropFirst() {
      let parts = parameter.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, let name = parts.first.map({ String($0).filter { $0 != " " && $0 != "\t" } }),
        let value = parts.last,
        name.lowercased() == "charset"
      else { continue }
      self.init(label: String(value).filter { $0 != "\"" && $0 != "'" })
      return
    }
    return nil
  }

  /// Whether bytes below 0x80 mean ASCII wherever a character can begin.
  public var isASCIICompatible: Bool {
    !["utf-16le", "utf-16be", "replacement"].contains(name)
  }
}
