/// A value of a property list or of JSON, whichever file it came from; the form in which policies read dictionaries.
///
/// Numbers keep their kind: `NSNumber` semantics (1 is true, 2 is not) are the reader's business.
public indirect enum PropertyValue: Sendable, Hashable {
  case null
  case boolean(Bool)
  case integer(Int64)
  case real(Double)
  case string(String)
  case data([UInt8])
  /// Seconds since 1970.
  case date(Double)
  case array([PropertyValue])
  case dictionary([String: PropertyValue])

  public subscript(key: String) -> PropertyValue? {
    guard case .dictionary(let members) = self else { return nil }
    return members[key]
  }
}
