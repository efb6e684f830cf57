/// One log of a log list.
public struct TransparencyLog: Sendable, Hashable {
  /// The states of the list's format, version 3. Moments are milliseconds since 1970.
  public enum State: Sendable, Hashable {
    case pending, qualified, usable, rejected
    /// It takes nothing any more; what it signed before stays good.
    case readOnly(since: UInt64)
    case retired(since: UInt64)
  }

  /// How certificates get into it.
  public enum Interface: Sendable, Hashable {
    case rfc6962
    /// The static interface; such logs are `tiled_logs` in a list.
    case tiled
  }

  /// Someone who ran the log until `end` (milliseconds since 1970).
  public struct FormerOperator: Sendable, Hashable {
    public var name: String
    public var end: UInt64

    public init(name: String, end: UInt64) {
      self.name = name
      self.end = end
    }
  }

  /// SHA-256 of its public key.
  public var identifier: [UInt8]
  public var description: String
  public var operatorName: String
  /// The earliest first.
  public var formerOperators: [FormerOperator]
  public var state: State
  public var interface: Interface
  /// Only certificates that expire in this time belong into it, in seconds since 1970; nil: all.
  public var interval: Range<Int64>?
  /// Run for tests or for watching: nothing counts that it signs.
  public var isForTests: Bool

  public init(
    identifier: [UInt8], description: String, operatorName: String, formerOperators: [FormerOperator] = [],
    state: State, interface: Interface = .rfc6962, interval: Range<Int64>? = nil, isForTests: Bool = false
  ) {
    self.identifier = identifier
    self.description = description
    self.operatorName = operatorName
    self.formerOperators = formerOperators
    self.state = state
    self.interface = interface
    self.interval = interval
    self.isForTests = isForTests
  }

  /// Whether what it signs may count towards a verdict today.
  public var isApproved: Bool {
    switch state {
    case .qualified, .usable, .readOnly: !isForTests
    case .pending, .rejected, .retired: false
    }
  }

  /// Who ran the log at a moment in milliseconds since 1970.
  func operatorName(at milliseconds: UInt64) -> String {
    formerOperators.first { milliseconds < $0.end }?.name ?? operatorName
  }
}
