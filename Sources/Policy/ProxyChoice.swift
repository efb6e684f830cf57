/// What a rule or a lane says about the way to an origin.
public enum ProxyChoice: Sendable, Hashable {
  /// No other proxy, whatever is said elsewhere.
  case direct
  case through(UpstreamProxy)
}
