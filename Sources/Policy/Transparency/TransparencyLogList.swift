/// A list of logs, as its publisher has it at one moment. One object for all policies of a configuration.
public final class TransparencyLogList: Sendable, Hashable {
  /// By their identifiers.
  public let logs: [[UInt8]: TransparencyLog]
  /// When the publisher made it, in seconds since 1970.
  public let published: Int64

  public init(_ logs: [TransparencyLog], published: Int64) {
    self.logs = Dictionary(logs.map { ($0.identifier, $0) }, uniquingKeysWith: { first, _ in first })
    self.published = published
  }

  public static func == (one: TransparencyLogList, other: TransparencyLogList) -> Bool { one === other }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}
