/// A listener that could not be opened.
public struct ListenFault: Error, CustomStringConvertible {
  /// As configured.
  public let address: String
  public let reason: String
  /// The address may not be used by this user (EACCES); everything else is "unavailable".
  public let isPermission: Bool

  public var description: String { "cannot listen on \(address): \(reason)" }
}
