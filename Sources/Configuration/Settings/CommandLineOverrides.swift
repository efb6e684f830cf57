/// What the command line sets in place of the configuration file.
public struct CommandLineOverrides: Sendable {
  /// `--listen`: takes the place of all listeners.
  public var listen: String?
  /// `--allow`: networks that are admitted in addition.
  public var allow: [String]
  /// `--console`: an address, or `off`.
  public var console: String?
  /// `--state-directory`: relative to the working directory.
  public var stateDirectory: String?
  /// `--os`: the version of iOS in every lane.
  public var os: String?

  public init(
    listen: String? = nil, allow: [String] = [], console: String? = nil, stateDirectory: String? = nil,
    os: String? = nil
  ) {
    self.listen = listen
    self.allow = allow
    self.console = console
    self.stateDirectory = stateDirectory
    self.os = os
  }
}
