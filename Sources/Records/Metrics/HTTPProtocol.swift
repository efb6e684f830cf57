/// A version of HTTP as records and metrics name it.
public enum HTTPProtocol: Int, Sendable, Hashable, CaseIterable {
  case http10, http11, http2

  public var name: StaticString {
    switch self {
    case .http10: "http/1.0"
    case .http11: "http/1.1"
    case .http2: "h2"
    }
  }
}
