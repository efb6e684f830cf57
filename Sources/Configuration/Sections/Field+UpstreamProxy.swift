import Foundation
import Names
import Policy

/// `upstream.proxy`, and the `proxy` of a rule or a lane.
extension Field {
  private static let expectedURL = "the URL of a proxy such as \"http://corp:3128\" is expected"
  private static let kinds: [(word: String, kind: UpstreamProxy.Kind)] = [
    ("http", .http), ("https", .https), ("socks5", .socks5), ("socks5h", .socks5),
  ]

  /// A proxy, or the word `direct`.
  func proxyChoice() -> ProxyChoice? {
    if case .string("direct") = node.value { return .direct }
    return upstreamProxy().map { .through($0) }
  }

  /// A URL, or an object with the credentials apart from it.
  func upstreamProxy() -> UpstreamProxy? {
    if case .string = node.value { return proxyURL()?.checked(self) }
    return section { section -> UpstreamProxy? in
      let url: UpstreamProxy? = section.field("url")?.proxyURL() ?? section.rejectMissing("url")
      var user = url?.user
      var password = url?.password
      section.read("user", into: &user) { $0.nonEmptyString() }
      section.read("password", into: &password) { $0.secret().map { String(decoding: $0, as: UTF8.self) } }
      return url.flatMap {
        UpstreamProxy(kind: $0.kind, address: $0.address, user: user, password: password).checked(section.field)
      }
    } ?? nil
  }

  /// `http://[user[:password]@]host[:port]`; never shown in a message because of the password.
  private func proxyURL() -> UpstreamProxy? {
    guard let text = string(Self.expectedURL) else { return nil }
    guard let separator = text.range(of: "://"),
      let kind = Self.kinds.first(where: { $0.word == text[..<separator.lowerBound].lowercased() })?.kind
    else {
      return reject("a proxy's URL begins with http://, https://, socks5:// or socks5h://; \(Self.expectedURL)")
    }
    var authority = text[separator.upperBound...]
    if authority.hasSuffix("/") { authority = authority.dropLast() }
    var user: String?
    var password: String?
    if let at = authority.lastIndex(of: "@") {
      let parts = authority[..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      let decoded = parts.map { String($0).removingPercentEncoding }
      authority = authority[authority.index(after: at)...]
      guard !decoded.contains(nil) else {
        return reject("user and password in a URL are percent-encoded UTF-8: a % is written as %25")
      }
      user = decoded.first ?? nil
      if decoded.count > 1 {
        password = decoded.last ?? nil
        report(
          .warning,
          "the password stands in the URL; { url, user, password: { env: \"NAME\" } } keeps it out of the file")
      }
    }
    do throws(NameFault) {
      let address = try HostPort(authority: String(authority), defaultPort: kind.defaultPort)
      return UpstreamProxy(kind: kind, address: address, user: user, password: password)
    } catch {
      return reject("the host of the proxy is not allowed: \(error); \(Self.expectedURL)")
    }
  }
}

extension UpstreamProxy {
  /// Looks at what the protocol can carry.
  fileprivate func checked(_ field: Field) -> UpstreamProxy? {
    if password != nil, user == nil { return field.reject("there is a password but no user") }
    guard let user else { return self }
    let longest = max(user.utf8.count, password?.utf8.count ?? 0)
    switch kind {
    case .http, .https:
      // RFC 7617, section 2: the user ends at the first colon.
      return user.contains(":") ? field.reject("a user with a colon cannot be sent to this kind of proxy") : self
    case .socks5:
      // RFC 1929 has one byte for each length, and none may be 0.
      return longest > 255 || user.isEmpty || password?.isEmpty != false
        ? field.reject("SOCKS credentials are a user and a password of 1 to 255 bytes each") : self
    }
  }
}
