import Names
import Policy

/// `upstream.resolve` and `upstream.noProxy`.
extension Field {
  /// `"host[:port]": "host[:port]"`; the key is a host pattern. Without a port every port is meant, and the port stays as it is.
  func redirections() -> Redirections? {
    guard let members = members("an object such as { \"a.test:443\": \"127.0.0.1:9443\" } is expected") else {
      return nil
    }
    var entries: [(pattern: HostPattern, value: Redirections.Place)] = []
    entries.reserveCapacity(members.count)
    var seen: Set<HostPattern> = []
    for (key, field) in members {
      let pattern: HostPattern
      do throws(NameFault) {
        pattern = try HostPattern(key)
      } catch {
        field.report(
          .error, "the key `\(key)` is not allowed here: \(error); a host pattern such as \"a.test:443\" is expected")
        continue
      }
      guard let place = field.place() else { continue }
      if !seen.insert(pattern).inserted { field.report(.error, "`\(pattern)` is given twice") }
      entries.append((pattern, place))
    }
    return Redirections(entries)
  }

  private func place() -> Redirections.Place? {
    let expected = "where to connect is expected, such as \"127.0.0.1:9443\" or \"127.0.0.1\""
    guard let text = string(expected) else { return nil }
    do throws(NameFault) {
      if let name = try? Host(text) { return Redirections.Place(host: name, port: nil) }
      let place = try HostPort(authority: text, defaultPort: nil)
      return Redirections.Place(host: place.host, port: place.port)
    } catch {
      return reject("\(shown) is not allowed here: \(error); \(expected)")
    }
  }

  func proxyExemptions() -> ProxyExemptions? {
    var patterns: [HostPattern] = []
    var networks: [CIDR] = []
    let isList: [Void]? = list("a list of host patterns and networks is expected") { field in
      if case .string(let text) = field.node.value, let network = CIDR(text) {
        networks.append(network)
      } else if let pattern = field.hostPattern() {
        patterns.append(pattern)
      }
      return nil
    }
    return isList == nil ? nil : ProxyExemptions(patterns: patterns, networks: networks)
  }
}
