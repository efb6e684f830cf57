/// Where the history is kept, and how much of it.
public struct HistorySettings: Sendable, Hashable {
  /// The state directory; the history is the file `history.sqlite` in it.
  public let directory: String
  /// The size of the file at most, but for what one batch adds before the oldest give way to it.
  public let byteCount: Int
  /// As many exchanges at most.
  public let exchangeCount: Int

  public init(directory: String, byteCount: Int, exchangeCount: Int) {
    self.directory = directory
    self.byteCount = byteCount
    self.exchangeCount = exchangeCount
  }
}

extension HistorySettings {
  /// The file of a state directory.
  public static func path(in directory: String) -> String { "\(directory)/history.sqlite" }

  var path: String { Self.path(in: directory) }
}
