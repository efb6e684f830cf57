/// Why pinwarden answers a request itself instead of passing on what the origin says (contract, section 4).
public struct Refusal: Error, Sendable, Hashable {
  /// HTTP status: 400, 403, 407, 408, 421, 431, 500 (a fault of the proxy itself), 501, 502, 503, 504, 508.
  public var status: Int
  /// What the app would have got from `NSURLSession`; nil where the device itself is at fault.
  public var error: NSURLError?
  public var proxyError: ProxyErrorType
  /// The step that decided; nil for malformed requests, limits and DNS.
  public var decidedBy: DecisionStep?
  /// A few words for the headline, such as "App Transport Security refuses plain HTTP".
  public var title: String
  /// One or two sentences for people: what was refused, by what, and what to do. Never contains secrets.
  public var detail: String

  public init(
    status: Int, error: NSURLError?, proxyError: ProxyErrorType, decidedBy: DecisionStep?, title: String,
    detail: String
  ) {
    self.status = status
    self.error = error
    self.proxyError = proxyError
    self.decidedBy = decidedBy
    self.title = title
    self.detail = detail
  }
}
