import Policy

extension ConfigurationDraft {
  /// Gives listeners the lanes that name them.
  mutating func assignListeners() {
    var owners: [ListenAddress: String] = [:]
    for lane in lanes {
      for address in lane.listeners {
        let field = lane.field.member("listeners")
        if let other = owners.updateValue(lane.name, forKey: address) {
          field.report(.error, "the listener `\(address)` is also in lane `\(other)`")
        }
        guard let listener = listeners.first(where: { $0.address == address }) else {
          let known = listeners.map { "\($0.address)" }.joined(separator: ", ")
          field.report(.error, "there is no listener with the address `\(address)`; there are \(known)")
          continue
        }
        if listener.lane != Lane.defaultName, listener.lane != lane.name {
          field.report(.error, "the listener `\(address)` has `lane: \"\(listener.lane)\"`")
        }
      }
    }
    listeners = listeners.map { listener in
      guard let lane = owners[listener.address], listener.lane == Lane.defaultName else { return listener }
      var assigned = listener
      assigned.lane = lane
      return assigned
    }
  }
}
