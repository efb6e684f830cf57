/// Whose body it is: identifiers are worth something to the client that sent the body, in the same lane, and to nobody else.
public struct EnvelopeOwner: Hashable, Sendable {
  /// The address without the port: the parts of a body and its request come on several connections.
  let client: String
  let lane: String

  public init(client: String, lane: String) {
    self.client = client
    self.lane = lane
  }
}
