import Names

/// `console`: the web page and its API.
public struct ConsoleSettings: Sendable {
  public internal(set) var address = ListenAddress.tcp(.v4(0x7F00_0001), 8081)
  /// What a visitor must know; nil: made at the first start and kept in the state directory.
  public internal(set) var token: String?
}

/// `onboarding`: a plain-HTTP listener of its own for a device's first contact.
public struct OnboardingSettings: Sendable {
  /// nil: there is none.
  public internal(set) var address: ListenAddress?
  /// The wireless network in which the profile for devices of Apple sets the proxy.
  public internal(set) var ssid: String?
}
