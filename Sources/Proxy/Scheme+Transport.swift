import Names

extension Scheme {
  /// `http` for `ws`, `https` for `wss`: the request that opens a WebSocket is HTTP.
  var transport: Scheme? {
    switch self {
    case .http, .ws: .http
    case .https, .wss: .https
    }
  }
}
