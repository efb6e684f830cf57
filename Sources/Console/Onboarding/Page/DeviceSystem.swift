/// The system of a device, for which the page has steps of its own.
enum DeviceSystem: String, CaseIterable {
  case ios, android, mac, windows, linux, firefox, programs

  /// Told from a User-Agent; programs are what is none of the browsers. iPads that pass for a Mac are told apart by the page's script.
  init(userAgent: String) {
    func has(_ text: String) -> Bool { userAgent.contains(text) }
    self =
      if has("iPhone") || has("iPad") || has("iPod") {
        .ios
      } else if has("Android") {
        .android
      } else if has("Firefox/") {
        .firefox
      } else if has("Macintosh") {
        .mac
      } else if has("Windows") {
        .windows
      } else if has("Linux") || has("X11") || has("CrOS") {
        .linux
      } else {
        .programs
      }
  }

  var isHandheld: Bool { self == .ios || self == .android }

  var title: OnboardingText {
    switch self {
    case .ios: .ios
    case .android: .android
    case .mac: .mac
    case .windows: .windows
    case .linux: .linux
    case .firefox: .firefox
    case .programs: .programs
    }
  }
}
