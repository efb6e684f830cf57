import Policy

extension Finding {
  /// One line for people, as compilers write it: `pinwarden.json5:3:12: error: limits.headTimeout: …`.
  public var text: String {
    var place = file
    if let line {
      place += ":\(line)"
      if let column { place += ":\(column)" }
    }
    return [place, level.rawValue, keyPath, message].filter { !$0.isEmpty }.joined(separator: ": ")
  }
}
