import Configuration
import Names
import Policy
import TLS

/// What a configuration would say of new certificates before they are installed: for each host that they, or the old ones, are for, whether
/// each place that has a say accepts them, and from when to when.
public struct Rehearsal: Sendable {
  public let replacements: [CertificateReplacement]
  public let hosts: [RehearsedHost]
  /// Seconds since 1970.
  public let now: Int64

  /// More hosts are not looked at.
  private static let hostLimit = 500

  /// - Parameter names: hosts to look at besides those that the configuration and the certificates name.
  public init(
    _ configuration: Configuration, replacements: [CertificateReplacement], naming names: [Host] = [], now: Int64
  ) {
    self.replacements = replacements
    self.now = now
    var found: [RehearsedHost] = []
    let lanes = configuration.lanes.values.sorted { $0.name < $1.name }
    for replacement in replacements {
      for lane in lanes {
        let stage = RehearsalStage(configuration, lane, replacement, now: now)
        for host in stage.hosts(naming: names).prefix(Self.hostLimit) {
          let result = stage.rehearse(host)
          // Lanes that say the same are told together.
          if let index = found.firstIndex(where: { $0.isSame(as: result) }) {
            found[index].lanes.append(lane.name)
          } else {
            found.append(result)
          }
        }
      }
    }
    hosts = found
  }

  /// Whether all hosts accept their new certificates as soon as those are valid.
  public var isAccepted: Bool { hosts.allSatisfy(\.isAccepted) }
}

/// The rehearsal for one host.
public struct RehearsedHost: Sendable, Hashable {
  public let host: Host
  /// In which lanes; those that say the same are together.
  public internal(set) var lanes: [String]
  /// Which replacement, by the name of the new certificate.
  public let newName: String
  /// All places together accept the new certificates as soon as they are valid.
  public let isAccepted: Bool
  /// When the old and the new ones are accepted, from now on.
  public let old: [TimeWindow]
  public let new: [TimeWindow]
  /// When both are: the time to change.
  public let both: [TimeWindow]
  public let places: [RehearsedPlace]
  /// Why all places together refuse the new ones; sentences. nil: accepted.
  public let reason: String?

  func isSame(as other: RehearsedHost) -> Bool {
    var one = self
    one.lanes = other.lanes
    return one == other
  }
}

/// What one place says.
public struct RehearsedPlace: Sendable, Hashable {
  public let place: PinPlace
  public let isAccepted: Bool
  /// The pin that the new chain matches, as pinwarden writes it; nil: none, or none is asked for.
  public let matchedPin: String?
  /// The pin that matches is not of the old chain.
  public let isBackup: Bool
  public let windows: [TimeWindow]
  /// Why not; sentences. nil: accepted.
  public let reason: String?
  /// What to add, as lines to paste; a line that ends in a colon says where.
  public let change: [String]
}
