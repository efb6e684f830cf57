extension PropertyValue {
  /// As `boolValue` of NSNumber reads it: every number but 0 is true; nil: no number.
  var truth: Bool? {
    switch self {
    case .boolean(let value): value
    case .integer(let value): value != 0
    case .real(let value): value != 0
    default: nil
    }
  }
}
