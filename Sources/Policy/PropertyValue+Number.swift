/// Flags as Apple's parser reads them: any number counts, 1 alone is true, and everything that is no number is not there (spec A.5).
extension PropertyValue {
  /// nil: no number.
  public var flag: Bool? {
    switch self {
    case .boolean(let value): value
    case .integer(let value): value == 1
    case .real(let value): value == 1
    case .null, .string, .data, .date, .array, .dictionary: nil
    }
  }

  public var text: String? {
    if case .string(let text) = self { text } else { nil }
  }

  public var members: [String: PropertyValue]? {
    if case .dictionary(let members) = self { members } else { nil }
  }

  public var elements: [PropertyValue]? {
    if case .array(let elements) = self { elements } else { nil }
  }
}
