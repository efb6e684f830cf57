extension Duration {
  /// For people: `10 s`, `1500 ms`.
  var words: String {
    let parts = components
    let milliseconds = parts.attoseconds / 1_000_000_000_000_000
    guard milliseconds != 0, parts.seconds < 1_000_000 else { return "\(parts.seconds) s" }
    return "\(parts.seconds * 1000 + milliseconds) ms"
  }
}
