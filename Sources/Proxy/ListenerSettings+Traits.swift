import Configuration
import EventLoop
import Names

extension ListenerSettings {
  /// What its socket must be able to do.
  ///
  /// `[::]` takes IPv4 clients as well, as most servers have it, unless another listener wants an IPv4 address with the same port.
  func traits(among all: [ListenerSettings]) -> Listener.Traits {
    var traits = Listener.Traits()
    traits.fileMode = socketMode
    if mode == .transparent { traits.destinations = .foreign }
    if case .tcp(.v6(0, 0), let port) = address, port == 0 || !all.contains(where: { $0.isIPv4(at: port) }) {
      traits.families = .both
    }
    return traits
  }

  private func isIPv4(at wanted: UInt16) -> Bool {
    guard case .tcp(.v4, let port) = address else { return false }
    return port == wanted
  }
}
