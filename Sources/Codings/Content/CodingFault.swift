/// Why coded bytes could not be read.
public enum CodingFault: Error, Equatable, Sendable {
  /// The bytes are none of that coding, from some place on.
  case corrupt(ContentCoding)
  /// The library has no memory for a decoder or encoder.
  case unavailable(ContentCoding)
}

extension CodingFault: CustomStringConvertible {
  public var description: String {
    switch self {
    case .corrupt(let coding): "the bytes are no valid \(coding.rawValue)"
    case .unavailable(let coding): "there is no memory to read \(coding.rawValue)"
    }
  }
}
