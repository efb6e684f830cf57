import Records

extension ProxyServer {
  /// Sends a request once more, decided, judged and recorded as a device's would be, and waits for its end. Not for loops.
  public func replay(_ request: ReplayRequest) async throws(ReplayFault) -> ReplayOutcome {
    throw .unavailable("it does not know how to")
  }
}
