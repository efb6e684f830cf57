import Names

extension TargetURL {
  /// Whether reports of pin failures may be posted there: to `https`, and to `http` on this machine alone. They tell where a client has been.
  public var isFitForReports: Bool {
    switch scheme {
    case .https: true
    case .http: host.text == "localhost" || host.address?.isLoopback == true
    case .ws, .wss: false
    }
  }
}
