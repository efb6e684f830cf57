/// Which time is looked at, and in which steps.
public struct SeriesSpan: Sendable, Equatable {
  /// Where the first step begins, milliseconds since 1970.
  public let start: Int64
  /// Milliseconds.
  public let step: Int64
  public let stepCount: Int

  public init(start: Int64, step: Int64, stepCount: Int) {
    self.start = start
    self.step = max(1, step)
    self.stepCount = stepCount
  }
}

/// The exchanges that began within one step of time.
public struct SeriesBucket: Sendable, Equatable {
  /// What became of an exchange, each counted once.
  public enum Kind: Int, CaseIterable, Sendable {
    case pass, cached, bypass, fail, deny

    public var name: StaticString {
      switch self {
      case .pass: "pass"
      case .cached: "cached"
      case .bypass: "bypass"
      case .fail: "fail"
      case .deny: "deny"
      }
    }
  }

  /// When it begins, milliseconds since 1970.
  public let time: Int64
  public private(set) var counts = [Int](repeating: 0, count: Kind.allCases.count)
  private var durations = DurationSketch()

  public init(time: Int64) {
    self.time = time
  }

  public var requests: Int { counts.reduce(0, +) }

  /// - Parameter milliseconds: from the head of the request to the end of its answer; nil: not known.
  public mutating func add(_ kind: Kind, milliseconds: Double?) {
    counts[kind.rawValue] += 1
    if let milliseconds { durations.add(milliseconds) }
  }

  /// The time within which this share of the exchanges ended, in milliseconds; nil: there was none.
  public func quantile(_ share: Double) -> Double? { durations.quantile(share) }
}
