/// What only the client end of a connection has.
internal struct ClientSide {
  internal weak var judge: (any TLSPeerJudge)?
  internal let identities: [Identity]
  internal let allowsLateAuthentication: Bool

  internal init(judge: any TLSPeerJudge, identities: [Identity], allowsLateAuthentication: Bool) {
    self.judge = judge
    self.identities = identities
    self.allowsLateAuthentication = allowsLateAuthentication
  }
}
