import Names

/// Where a `Location` leads (RFC 9110, section 10.2.2; RFC 3986, section 5.2).
enum RedirectTarget {
  /// nil: it is nothing that could be requested.
  static func resolve(_ reference: String, from base: TargetURL) -> TargetURL? {
    let reference = reference.prefix { $0 != "#" }
    if let scheme = scheme(of: reference) {
      return scheme == "http" || scheme == "https" ? try? TargetURL(String(reference)) : nil
    }
    if reference.hasPrefix("//") { return try? TargetURL("\(base.scheme.rawValue):\(reference)") }
    return try? TargetURL("\(base.origin)\(path(reference, base.pathAndQuery))")
  }

  private static func scheme(of reference: Substring) -> String? {
    let word = reference.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    guard word.first?.isLetter == true, reference.dropFirst(word.count).first == ":" else { return nil }
    return word.lowercased()
  }

  private static func path(_ reference: Substring, _ base: String) -> String {
    let basePath = base.prefix { $0 != "?" }
    guard let first = reference.first else { return base }
    if first == "?" { return String(basePath + reference) }
    let query = reference.drop { $0 != "?" }
    let path = reference.prefix { $0 != "?" }
    let folder = basePath.lastIndex(of: "/").map { basePath[...$0] } ?? "/"
    return withoutDots(first == "/" ? path : folder + path) + query
  }

  /// RFC 3986, section 5.2.4.
  private static func withoutDots(_ path: Substring) -> String {
    var kept: [Substring] = []
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    for (index, part) in parts.enumerated() {
      let isLast = index == parts.count - 1
      switch part {
      case ".": if isLast { kept.append("") }
      case "..":
        if !kept.isEmpty { kept.removeLast() }
        if isLast { kept.append("") }
      default: kept.append(part)
      }
    }
    return "/" + kept.joined(separator: "/")
  }
}
