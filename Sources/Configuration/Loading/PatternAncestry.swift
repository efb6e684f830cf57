import Names

/// Finds for a host pattern the one that would count for all its hosts if it were not there.
struct PatternAncestry {
  private struct Key: Hashable {
    let breadth: HostPattern.Breadth
    let base: Host?
    let port: UInt16?
  }

  private let positions: [Key: Int]

  init(_ patterns: [HostPattern]) {
    positions = Dictionary(
      patterns.enumerated().map {
        (Key(breadth: $0.element.breadth, base: $0.element.base, port: $0.element.port), $0.offset)
      }
    ) { first, _ in first }
  }

  /// The position of the most specific pattern that matches everything that `pattern` matches and is another one.
  func parent(of pattern: HostPattern) -> Int? {
    if let port = pattern.port, let position = position(pattern.breadth, pattern.base, nil), port > 0 {
      return position
    }
    guard let base = pattern.base else { return nil }
    if pattern.breadth != .anyDepth, let position = position(.anyDepth, base, pattern.port) { return position }
    return parent(above: base, of: pattern)
  }

  private func parent(above base: Host, of pattern: HostPattern) -> Int? {
    let labels = base.address == nil ? base.labels : []
    for (depth, count) in stride(from: labels.count - 1, to: 0, by: -1).enumerated() {
      guard let name = try? Host(labels.suffix(count).joined(separator: ".")) else { continue }
      if depth == 0, pattern.breadth == .host, let position = position(.oneLabelMore, name, pattern.port) {
        return position
      }
      if let position = position(.anyDepth, name, pattern.port) { return position }
    }
    return position(.everything, nil, pattern.port)
  }

  /// With that port, else for every port.
  private func position(_ breadth: HostPattern.Breadth, _ base: Host?, _ port: UInt16?) -> Int? {
    let any = positions[Key(breadth: breadth, base: base, port: nil)]
    guard let port else { return any }
    return positions[Key(breadth: breadth, base: base, port: port)] ?? any
  }
}
