/// Where the daemon keeps what it makes, when the configuration does not say.
enum StateDirectory {
  /// `$STATE_DIRECTORY` of systemd (its first path), else below `$XDG_STATE_HOME`, else below the home folder; nil when none is set.
  static func standard(_ environment: [String: String]) -> String? {
    func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    if let folders = value("STATE_DIRECTORY") {
      return folders.split(separator: ":").first.map { String($0) }
    }
    // The XDG specification has relative paths ignored.
    if let folder = value("XDG_STATE_HOME"), folder.hasPrefix("/") { return "\(folder)/pinwarden" }
    return value("HOME").map { "\($0)/.local/state/pinwarden" }
  }
}
