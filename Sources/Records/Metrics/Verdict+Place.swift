import Policy

// Places in rows of counters. Every request asks, so nothing is searched.

extension Action {
  static let all: [Action] = [.intercept, .bypass, .deny]

  var place: Int {
    switch self {
    case .intercept: 0
    case .bypass: 1
    case .deny: 2
    }
  }
}

extension DecisionStep {
  static let count = 8

  /// The place in `allCases`.
  var place: Int {
    switch self {
    case .access: 0
    case .loop: 1
    case .target: 2
    case .rule: 3
    case .whitelist: 4
    case .default: 5
    case .ats: 6
    case .trust: 7
    }
  }
}
