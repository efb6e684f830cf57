import Names

/// References to URLs of https, resolved as RFC 3986, section 5.2, says. Bytes that no URL has make a reference nothing.
enum URLReference {
  /// `https://host[:port]/path[?query]`, without a fragment; nil: something else.
  static func resolve(_ reference: String, against base: String) -> String? {
    let text = Substring(reference.utf8.prefix { $0 != UInt8(ascii: "#") })
    guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }),
      let origin = origin(of: base)
    else { return nil }
    if text.lowercased().hasPrefix("https://") { return normal(text.dropFirst(8)) }
    if text.hasPrefix("//") { return normal(text.dropFirst(2)) }
    if hasScheme(text) { return nil }
    let rest = base.dropFirst(origin.utf8.count)
    let basePath = rest.prefix { $0 != "?" }
    if text.isEmpty { return String(origin + rest) }
    if text.hasPrefix("?") { return origin + basePath + text }
    if text.hasPrefix("/") { return origin + withoutDots(text) }
    let folder = basePath.lastIndex(of: "/").map { basePath[...$0] } ?? "/"
    return origin + withoutDots(folder + text)
  }

  /// The reference as browsers send it: bytes that no URL has are percent-encoded, and a backslash is a slash (URL Standard, section 4.4).
  static func encoded(_ reference: String) -> String {
    guard reference.utf8.contains(where: { $0 <= 0x20 || $0 >= 0x7F || $0 == UInt8(ascii: "\\") }) else {
      return reference
    }
    return reference.utf8.reduce(into: "") { text, byte in
      if byte == UInt8(ascii: "\\") {
        text += "/"
      } else if byte <= 0x20 || byte >= 0x7F {
        text += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      } else {
        text += String(UnicodeScalar(byte))
      }
    }
  }

  /// `https://host[:port]` of such a URL.
  static func origin(of url: String) -> String? {
    guard url.hasPrefix("https://") else { return nil }
    return String(url.prefix(8)) + url.dropFirst(8).prefix { $0 != "/" && $0 != "?" }
  }

  private static func normal(_ text: Substring) -> String? {
    let authority = text.prefix { $0 != "/" && $0 != "?" }
    guard !authority.contains("@"), let target = try? HostPort(authority: String(authority), defaultPort: 443) else {
      return nil
    }
    let rest = text.dropFirst(authority.count)
    let path = rest.hasPrefix("/") ? rest : "/" + rest
    let port = target.port == 443 ? "" : ":\(target.port)"
    return "https://\(target.host.bracketed)\(port)" + withoutDots(path)
  }

  private static func hasScheme(_ text: Substring) -> Bool {
    guard let colon = text.firstIndex(of: ":") else { return false }
    let scheme = text[..<colon].utf8
    return !scheme.isEmpty
      && scheme.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."): true
        default: false
        }
      }
  }

  /// Without `.` and `..` segments (RFC 3986, section 5.2.4).
  private static func withoutDots(_ text: some StringProtocol) -> String {
    let path = text.prefix { $0 != "?" }
    guard path.contains("/.") else { return String(text) }
    var kept: [Substring] = []
    let segments = Substring(path).split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    for (index, segment) in segments.enumerated() {
      let isLast = index == segments.count - 1
      switch segment {
      case ".": if isLast { kept.append("") }
      case "..":
        _ = kept.popLast()
        if isLast { kept.append("") }
      default: kept.append(segment)
      }
    }
    return "/" + kept.joined(separator: "/") + text.dropFirst(path.count)
  }
}
