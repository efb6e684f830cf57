import Policy

extension Finding: Encodable {
  private enum Member: String, CodingKey {
    case level, file, line, column, keyPath, message
  }

  /// Members: `level` (`error`, `warning` or `note`), `file`, `line` and `column` where they are known, `keyPath`, `message`.
  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: Member.self)
    try members.encode(level.rawValue, forKey: .level)
    try members.encode(file, forKey: .file)
    try members.encodeIfPresent(line, forKey: .line)
    try members.encodeIfPresent(column, forKey: .column)
    try members.encode(keyPath, forKey: .keyPath)
    try members.encode(message, forKey: .message)
  }
}
