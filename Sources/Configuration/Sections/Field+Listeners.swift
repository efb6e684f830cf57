import Names
import Policy

extension Field {
  func listeners() -> [ListenerSettings]? {
    let listeners = list("a list of listeners is expected") { $0.listener() }
    guard let listeners else { return nil }
    guard case .array(let elements) = node.value, !elements.isEmpty else {
      return reject("without a listener nobody can reach the proxy")
    }
    var seen: Set<ListenAddress> = []
    for listener in listeners where !seen.insert(listener.address).inserted {
      if case .tcp(_, 0) = listener.address { continue }
      report(.error, "two listeners have the address `\(listener.address)`")
    }
    return listeners
  }

  private func listener() -> ListenerSettings? {
    section { section -> ListenerSettings? in
      var lane = Lane.defaultName
      var context: Context?
      var tlsNames: [Host]?
      var balancers: [CIDR]?
      var socketMode: UInt32?
      let address: ListenAddress? = section.field("address")?.listenAddress() ?? section.rejectMissing("address")
      let mode = Self.mode(section)
      section.read("lane", into: &lane) { $0.nonEmptyString() }
      section.read("context", into: &context) { $0.context() }
      section.read("tls", into: &tlsNames) { $0.tlsNames() }
      section.read("proxyProtocol", into: &balancers) { $0.balancers() }
      section.read("socketMode", into: &socketMode) { $0.fileMode() }
      if tlsNames != nil, mode == .transparent {
        section.field("tls")?.report(.error, "a redirected client does not know that it speaks to a proxy")
      }
      if case .unix = address {
      } else {
        section.field("socketMode")?.report(.error, "only a listener with an address `unix:PATH` makes a file")
      }
      return address.map {
        ListenerSettings(
          address: $0, mode: mode, lane: lane, context: context, tlsNames: tlsNames, proxyProtocol: balancers,
          socketMode: socketMode)
      }
    } ?? nil
  }

  private enum ModeWord: String, CaseIterable {
    case explicit, transparent, reverse, socks5
  }

  private static func mode(_ section: Section) -> ListenerMode {
    var word = ModeWord.explicit
    section.read("mode", into: &word) { $0.choice(ModeWord.self) }
    let field = section.field("origin")
    let origin = field?.origin()
    if word == .reverse {
      if field == nil { section.field.report(.error, "mode `reverse` needs `origin`, such as \"https://a.test\"") }
      return origin.map { .reverse($0) } ?? .explicit
    }
    field?.report(.error, "`origin` has a meaning only with mode `reverse`")
    return word == .transparent ? .transparent : word == .socks5 ? .socks5 : .explicit
  }

  /// nil for `auto`, which is the same as the default.
  func context() -> Context? {
    let words: [(word: String, value: Context?)] = [("auto", nil)] + Context.allCases.map { ($0.rawValue, $0) }
    return choice(of: words) ?? nil
  }

  private func tlsNames() -> [Host]? {
    section { section -> [Host]? in
      let names: [Host]? = section.field("names")?.list { $0.host() } ?? section.rejectMissing("names")
      if let names, names.isEmpty { section.field.report(.error, "`names` needs at least one name") }
      return names
    } ?? nil
  }

  /// Permissions as `chmod` writes them: three or four octal digits.
  private func fileMode() -> UInt32? {
    let expected = "permissions such as \"0660\" are expected"
    guard let text = string(expected) else { return nil }
    guard (3...4).contains(text.utf8.count), let mode = UInt32(text, radix: 8), mode <= 0o777 else {
      return reject("\(shown) are no permissions; \(expected)")
    }
    return mode
  }

  private func balancers() -> [CIDR]? {
    switch node.value {
    case .boolean(false): nil
    case .boolean(true):
      reject(
        "name the balancers that may send PROXY headers, such as [\"10.0.0.0/8\"]; whoever may send one chooses his own address"
      )
    default: list("false or a list of networks is expected") { $0.network() }
    }
  }

  func console() -> ConsoleSettings? {
    section { section in
      var settings = ConsoleSettings()
      section.read("address", into: &settings.address) { $0.listenAddress() }
      section.read("token", into: &settings.token) { $0.token() }
      if case .tcp(let ip, _) = settings.address, !ip.isLoopback {
        section.field("address")?.report(
          .warning,
          "the console speaks plain HTTP, so whoever can listen on the way to `\(settings.address)` learns its token; "
            + "use loopback, and a tunnel such as `ssh -L` with the same port at both ends")
      }
      return settings
    }
  }

  private func token() -> String? {
    guard let bytes = secretOrText() else { return nil }
    guard bytes.count >= 8, bytes.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      return reject("a token has at least 8 printable ASCII characters without spaces")
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  func onboarding() -> OnboardingSettings? {
    section { section in
      var settings = OnboardingSettings()
      section.read("address", into: &settings.address) { $0.listenAddress() }
      section.read("ssid", into: &settings.ssid) { $0.nonEmptyString() }
      return settings
    }
  }
}
