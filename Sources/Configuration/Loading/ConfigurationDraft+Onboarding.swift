import Names
import Policy

extension ConfigurationDraft {
  /// Says what keeps devices that come to the listener of the site for devices from going on.
  func checkOnboarding(_ root: Field) {
    guard let address = onboarding.address else { return }
    let field = root.member("onboarding").member("address")
    if let other = sharing(address) {
      field.report(.error, "`\(address)` is also the address of \(other); choose another port")
    }
    guard case .tcp(let ip, _) = address, !ip.isLoopback else { return }
    if !listeners.contains(where: { $0.isReachedByDevices }) {
      field.report(
        .warning,
        "devices reach the page there but not the proxy: no listener in the mode `explicit` is on an address of the network"
      )
    }
    if access.clients == AccessSettings.loopback {
      field.report(.warning, "nobody but this machine may open it: add the network of the devices to access.clients")
    }
  }

  private func sharing(_ address: ListenAddress) -> String? {
    // The system gives each a port of its own.
    if case .tcp(_, 0) = address { return nil }
    if console?.address == address { return "the console" }
    return listeners.contains { $0.address == address } ? "a listener" : nil
  }
}

extension ListenerSettings {
  /// Whether a device in the network could have it as its proxy.
  fileprivate var isReachedByDevices: Bool {
    switch address {
    case .tcp(let ip, _): mode == .explicit && !ip.isLoopback
    // Whatever hands it over knows where it is.
    case .systemd: mode == .explicit
    case .unix: false
    }
  }
}
