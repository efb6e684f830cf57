/// Why a name has no address.
public enum ResolveFault: Error, Equatable, Sendable {
  /// The name does not exist, or has no addresses.
  case notFound
  /// Nobody answered in time.
  case timeout
  /// The name servers answered with a failure, or could not be asked. For people.
  case failed(String)
}
