import Policy

extension JSONText {
  /// What a linter says, as an array of objects: `level`, `keyPath`, `message`.
  public mutating func findings(_ key: StaticString, _ findings: [Finding]) {
    beginArray(key)
    for finding in findings {
      beginObject()
      string("level", finding.level.rawValue)
      string("keyPath", finding.keyPath)
      string("message", finding.message)
      endObject()
    }
    endArray()
  }
}
