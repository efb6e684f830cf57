/// `log`: what stands on standard output.
public struct LogSettings: Sendable {
  public enum Format: String, Sendable, CaseIterable {
    /// Text on a terminal, JSON lines elsewhere.
    case auto
    case text, json
  }

  /// In the order of their weight, heaviest first.
  public enum Level: String, Sendable, CaseIterable {
    case error, warning, info, debug
  }

  public internal(set) var format = Format.auto
  public internal(set) var level = Level.info
}
