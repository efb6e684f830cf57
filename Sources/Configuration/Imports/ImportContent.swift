import Policy

/// What a file looks like to somebody who opens it.
enum ImportContent: Equatable {
  /// In binary form.
  case propertyList
  /// XML, with the name of its root.
  case markup(String)
  case json
  /// PEM or DER.
  case certificate
  /// Text with a pin or more on a line; nil: no line says how it is to be read.
  case lines(ImportFormat?)

  init(_ bytes: [UInt8]) {
    if bytes.starts(with: Array("bplist".utf8)) {
      self = .propertyList
    } else if bytes.first == 0x30, bytes.dropFirst().first.map({ $0 >= 0x80 }) == true {
      self = .certificate
    } else {
      let text = Self.significant(bytes)
      switch text.first {
      case UInt8(ascii: "<"): self = .markup(Self.root(text))
      case UInt8(ascii: "{"), UInt8(ascii: "["): self = .json
      case UInt8(ascii: "-") where text.starts(with: "-----BEGIN ".utf8): self = .certificate
      default: self = .lines(Self.format(ofLine: text.prefix { $0 != UInt8(ascii: "\n") }))
      }
    }
  }

  /// What is left behind blanks, a byte order mark and comments of JSON5 and of lists.
  private static func significant(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    var rest = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
    while true {
      rest = rest.drop { $0 <= 0x20 }
      if rest.first == UInt8(ascii: "#") || rest.starts(with: "//".utf8) {
        rest = rest.drop { $0 != UInt8(ascii: "\n") }
      } else if rest.starts(with: "/*".utf8) {
        rest = skip(rest.dropFirst(2), behind: "*/")
      } else {
        return rest
      }
    }
  }

  /// The name of the first element; empty if there is none.
  private static func root(_ text: ArraySlice<UInt8>) -> String {
    var rest = text
    while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
      rest = rest[(start + 1)...]
      if rest.starts(with: "!--".utf8) {
        rest = skip(rest, behind: "-->")
      } else if rest.first == UInt8(ascii: "?") {
        rest = skip(rest, behind: "?>")
      } else if rest.first == UInt8(ascii: "!") {
        rest = skip(rest, behind: ">")
      } else {
        let name = rest.prefix { $0 > 0x20 && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/") }
        return String(decoding: name.prefix(256), as: UTF8.self)
      }
    }
    return ""
  }

  private static func skip(_ rest: ArraySlice<UInt8>, behind terminator: String) -> ArraySlice<UInt8> {
    let end = Array(terminator.utf8)
    guard rest.count >= end.count else { return rest[rest.endIndex...] }
    for index in rest.startIndex...(rest.endIndex - end.count) where rest[index...].starts(with: end) {
      return rest[(index + end.count)...]
    }
    return rest[rest.endIndex...]
  }

  /// How the first line of a list spells its pins.
  private static func format(ofLine line: ArraySlice<UInt8>) -> ImportFormat? {
    let text = String(decoding: line.prefix(4096), as: UTF8.self).lowercased()
    if text.contains("pin-sha256") { return .hpkp }
    if text.contains("max-age") { return .hpkp }
    // OkHttp's digest may itself begin with a slash: it has 44 characters then, and curl's 45 with its second slash.
    let pins = text.split { " \t,;\"'\r".contains($0) }.filter { $0.hasPrefix("sha256/") || $0.hasPrefix("sha1/") }
    guard let pin = pins.first else { return nil }
    return pin.hasPrefix("sha256//") && pin.utf8.count == 52 ? .curl : .okHttp
  }
}
