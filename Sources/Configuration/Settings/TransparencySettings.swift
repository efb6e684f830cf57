import Policy
import TLS

/// `ct`: Certificate Transparency.
public struct TransparencySettings: Sendable {
  /// What the v3 JSON log list says; nil: none.
  public internal(set) var logList: TransparencyLogList?
  /// The keys of its logs, by their ids.
  public internal(set) var keys: [[UInt8]: TransparencyLogKey] = [:]
  /// How old the list may be.
  public internal(set) var maximumAge = Duration.seconds(70 * 86_400)
  /// Whether the file names a list, usable or not.
  var namesList = false

  var maximumAgeSeconds: Int64 { maximumAge.components.seconds }
}
