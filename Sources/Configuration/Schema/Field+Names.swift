import Names

/// Hosts, addresses, networks, origins and patterns.
extension Field {
  func network() -> CIDR? {
    guard let text = string("a network such as \"10.0.0.0/8\" is expected") else { return nil }
    return CIDR(text)
      ?? reject("\(shown) is no network; an address or a network such as \"10.0.0.0/8\" or \"fd00::/8\" is expected")
  }

  func host() -> Host? {
    named("a host name") { (text) throws(NameFault) in try Host(text) }
  }

  func hostPattern() -> HostPattern? {
    let expected =
      "a host pattern such as \"a.test\", \"*.a.test\", \"**.a.test\", \"*\", each with an optional \":port\","
    guard let text = string("\(expected) is expected") else { return nil }
    do throws(NameFault) {
      return try HostPattern(text)
    } catch {
      if let hint = Self.hint(forPattern: text) { return reject("\(shown) is not allowed here: \(hint)") }
      return reject("\(shown) is not allowed here: \(error); \(expected) is expected")
    }
  }

  /// What to write in place of a pattern that means a part of a text, or is a URL; nil: nothing comes to mind.
  private static func hint(forPattern text: String) -> String? {
    if let scheme = text.firstRange(of: "://") {
      let host = text[scheme.upperBound...].prefix { $0 != "/" }
      return "patterns have no scheme and no path; write `\(host)`"
    }
    let stripped = String(text.drop { $0 == "*" || $0 == "." }.prefix { $0 != "*" && $0 != "/" })
    guard stripped != text, let host = try? Host(stripped), host.address == nil else { return nil }
    if text.hasPrefix("."), !text.contains("*") {
      return "a pattern does not begin with a dot; write `**.\(host)` for the name and all below it"
    }
    return
      "a part of a name is no pattern, since it would match hosts of strangers too (`\(host)` is a part of `\(host).evil.example`); "
      + "write `**.\(host)` for the name and all below it, `*.\(host)` for one label more"
  }

  func origin() -> WebOrigin? {
    named("an origin such as \"https://a.test\" or \"https://a.test:8443\"") { (text) throws(NameFault) in
      try WebOrigin(text)
    }
  }

  func hostAndPort() -> HostPort? {
    named("\"host:port\"") { (text) throws(NameFault) in try HostPort(authority: text, defaultPort: nil) }
  }

  /// An absolute URL, kept as it is written.
  func url() -> String? {
    named("an absolute URL") { (text) throws(NameFault) in
      _ = try TargetURL(text)
      return text
    }
  }

  private func named<Name>(_ expected: String, _ make: (String) throws(NameFault) -> Name) -> Name? {
    guard let text = string("\(expected) is expected") else { return nil }
    do throws(NameFault) {
      return try make(text)
    } catch {
      return reject("\(shown) is not allowed here: \(error); \(expected) is expected")
    }
  }

  /// Where to listen; the path of a socket is relative to the configuration file.
  func listenAddress() -> ListenAddress? {
    let expected = "\"127.0.0.1:8080\", \"[::1]:8080\", \"unix:/path\" or \"systemd:NAME\" is expected"
    guard let text = string(expected) else { return nil }
    guard let address = ListenAddress(text) else { return reject("\(shown) is no address to listen on; \(expected)") }
    guard case .unix(let path) = address else { return address }
    let resolved = reading.resolve(path)
    guard resolved.utf8.count <= ListenAddress.longestSocketPath else {
      return reject(
        "the path `\(resolved)` is longer than the \(ListenAddress.longestSocketPath) bytes a socket may have")
    }
    return .unix(resolved)
  }
}
