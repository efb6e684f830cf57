import Foundation
import Names
import Policy
import TLS

extension Field {
  func upstream() -> UpstreamSettings? {
    section { section in
      var settings = UpstreamSettings()
      section.read("resolve", into: &settings.resolve) { $0.redirections() }
      section.read("anchors", into: &settings.anchors) { $0.certificates() }
      section.read("proxy", into: &settings.proxy) { $0.upstreamProxy() }
      section.read("noProxy", into: &settings.noProxy) { $0.list { $0.proxyExemption() } }
      section.read("via", into: &settings.via) { $0.boolean() }
      section.read("http2", into: &settings.http2) { $0.boolean() }
      section.read("connectTimeout", into: &settings.connectTimeout) { $0.duration() }
      section.read("idleTimeout", into: &settings.idleTimeout) { $0.duration() }
      return settings
    }
  }

  /// `"host:port": "host:port"`.
  private func redirections() -> [HostPort: HostPort]? {
    guard let members = members("an object such as { \"a.test:443\": \"127.0.0.1:9443\" } is expected") else {
      return nil
    }
    var redirections = [HostPort: HostPort](minimumCapacity: members.count)
    for (key, field) in members {
      let from: HostPort
      do throws(NameFault) {
        from = try HostPort(authority: key, defaultPort: nil)
      } catch {
        field.report(.error, "the key `\(key)` is not allowed here: \(error); \"host:port\" is expected")
        continue
      }
      guard let to = field.hostAndPort() else { continue }
      if redirections.updateValue(to, forKey: from) != nil { field.report(.error, "`\(from)` is given twice") }
    }
    return redirections
  }

  private func proxyExemption() -> ProxyExemption? {
    if case .string(let text) = node.value, let network = CIDR(text) { return .network(network) }
    return hostPattern().map { .pattern($0) }
  }

  /// A URL, or an object with the credentials apart from it.
  func upstreamProxy() -> UpstreamProxy? {
    if case .string = node.value { return proxyURL() }
    return section { section -> UpstreamProxy? in
      let url: UpstreamProxy? = section.field("url")?.proxyURL() ?? section.rejectMissing("url")
      var user = url?.user
      var password = url?.password
      section.read("user", into: &user) { $0.nonEmptyString() }
      section.read("password", into: &password) { $0.secret().map { String(decoding: $0, as: UTF8.self) } }
      return url.map { UpstreamProxy(scheme: $0.scheme, address: $0.address, user: user, password: password) }
    } ?? nil
  }

  /// `http://[user[:password]@]host[:port]`; never shown in a message because of the password.
  private func proxyURL() -> UpstreamProxy? {
    let expected = "the URL of a proxy such as \"http://corp:3128\" is expected"
    guard let text = string(expected) else { return nil }
    guard let separator = text.range(of: "://"),
      let scheme = Scheme(rawValue: text[..<separator.lowerBound].lowercased()),
      scheme == .http || scheme == .https
    else { return reject("a proxy's URL begins with http:// or https://; \(expected)") }
    var authority = text[separator.upperBound...]
    if authority.hasSuffix("/") { authority = authority.dropLast() }
    var user: String?
    var password: String?
    if let at = authority.lastIndex(of: "@") {
      let parts = authority[..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      user = parts.first.flatMap { String($0).removingPercentEncoding }
      password = parts.count > 1 ? String(parts[1]).removingPercentEncoding : nil
      authority = authority[authority.index(after: at)...]
      if parts.count > 1 {
        report(
          .warning,
          "the password stands in the URL; { url, user, password: { env: \"NAME\" } } keeps it out of the file")
      }
    }
    do throws(NameFault) {
      let address = try HostPort(authority: String(authority), defaultPort: scheme.defaultPort)
      return UpstreamProxy(scheme: scheme, address: address, user: user, password: password)
    } catch {
      return reject("the host of the proxy is not allowed: \(error); \(expected)")
    }
  }
}
