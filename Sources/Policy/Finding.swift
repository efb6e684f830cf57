/// Something to say about a configuration: an error stops a start, a warning and a note do not.
public struct Finding: Sendable, Hashable {
  public enum Level: String, Sendable { case error, warning, note }

  public var level: Level
  /// The file in which it stands.
  public var file: String
  /// 1-based; nil where it cannot be told.
  public var line: Int?
  public var column: Int?
  /// Such as `rules.hosts[2].trust`; empty for the whole file.
  public var keyPath: String
  /// One sentence: what is wrong, the value, what is allowed.
  public var message: String

  public init(
    level: Level, file: String = "", line: Int? = nil, column: Int? = nil, keyPath: String, message: String
  ) {
    self.level = level
    self.file = file
    self.line = line
    self.column = column
    self.keyPath = keyPath
    self.message = message
  }
}
