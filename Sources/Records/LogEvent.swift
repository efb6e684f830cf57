/// How much an event matters; a log of some level writes everything that matters as much or more.
public enum LogLevel: Int, Sendable, Comparable, CaseIterable {
  case error, warning, info, debug

  public var name: String {
    switch self {
    case .error: "error"
    case .warning: "warning"
    case .info: "info"
    case .debug: "debug"
    }
  }

  public static func < (one: LogLevel, other: LogLevel) -> Bool { one.rawValue < other.rawValue }
}

/// One event of the daemon other than an exchange or a tunnel, such as `listening` or `reload`.
public struct LogEvent: Sendable {
  public enum Value: Sendable {
    case text(String)
    case number(Int)
  }

  public let level: LogLevel
  public let name: String
  public let members: [(String, Value)]

  public init(_ level: LogLevel, _ name: String, _ members: [(String, Value)] = []) {
    self.level = level
    self.name = name
    self.members = members
  }
}
