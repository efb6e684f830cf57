import Policy

extension Lane {
  /// For what the daemon asks for on its own behalf, such as posting reports: full App Transport Security, the general anchors, no rules,
  /// no pins.
  static func own() -> Lane {
    let policy = LanePolicy(
      lane: "own", ats: ATSPolicy(os: ATSDraft.defaultOS), rules: HostRules(), trust: [:])
    return Lane(
      name: "own", policy: policy, identities: [:], materials: [:], context: .app, captureByteCount: 0, clients: [],
      users: [], failOpen: false, proxy: nil, sharesRules: false)
  }
}
