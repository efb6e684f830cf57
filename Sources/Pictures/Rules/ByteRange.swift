import HTTP

/// What a Range field asks of a body that is there whole (RFC 9110, section 14).
enum ByteRange: Equatable {
  /// All of it: no Range, one that is not understood, or several, which need not be served apart.
  case whole
  case part(Range<Int>)
  case unsatisfiable

  init(_ request: HeaderList, byteCount: Int) {
    guard let text = request.first(.range), let ranges = Self.ranges(text), ranges.count == 1 else {
      self = .whole
      return
    }
    self = Self.read(ranges[0], byteCount)
  }

  private static func ranges(_ text: String) -> [String]? {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].lowercased() == "bytes" else { return nil }
    return Array(ListMembers(String(parts[1])))
  }

  private static func read(_ text: String, _ byteCount: Int) -> ByteRange {
    let ends = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false).map { String($0) }
    guard ends.count == 2 else { return .whole }
    let (first, last) = (DeltaSeconds(ends[0])?.value, DeltaSeconds(ends[1])?.value)
    switch (first, last) {
    case (nil, let count?) where ends[0].isEmpty:
      guard count > 0, byteCount > 0 else { return .unsatisfiable }
      return .part(max(0, byteCount - count)..<byteCount)
    case (let start?, let end) where end != nil || ends[1].isEmpty:
      if let end, end < start { return .whole }
      guard start < byteCount else { return .unsatisfiable }
      return .part(start..<min(byteCount, (end ?? byteCount) + 1))
    default: return .whole
    }
  }
}
