import Policy
import TLS

/// `trust-anchors`.
extension NetworkSecurityConfigReader {
  mutating func anchors(_ element: MarkupElement, overridesPins: Bool) -> [TrustAnchorSource] {
    var anchors: [TrustAnchorSource] = []
    for child in element.children {
      guard child.name == "certificates" else {
        skip(child)
        continue
      }
      let overrides = flag(child, "overridePins") ?? overridesPins
      if let kind = source(child) { anchors.append(TrustAnchorSource(kind, overridesPins: overrides)) }
    }
    if element.children.isEmpty {
      report(.warning, element, "there are no `certificates`, so no origin is trusted")
    }
    return anchors
  }

  private mutating func source(_ element: MarkupElement) -> TrustAnchorSource.Kind? {
    switch element.attributes["src"] {
    case "system": return .system
    case "user": return .user
    case "wfa":
      report(.note, element, "the anchors of the Wi-Fi Alliance (`wfa`) are for networks, and none is trusted here")
      return nil
    case let name? where name.hasPrefix("@"):
      guard let slash = name.firstIndex(of: "/"), name[..<slash].hasSuffix("raw") else { break }
      let resource = String(name[name.index(after: slash)...])
      guard let certificates = resolve(resource) else {
        return reject(
          element,
          "`\(name.prefix(100))` is not there; put the certificate beside this file or into ../raw/, as "
            + "\(resource.prefix(60)).pem, .crt, .cer or .der")
      }
      report(
        .note, element,
        "this only limits where a chain may end; to trust the certificate, name its file in `anchors` of a trust policy"
      )
      return .certificates(Set(certificates.map(\.fingerprint)))
    default: break
    }
    let found = element.attributes["src"].map { "`\($0.prefix(100))`" } ?? "nothing"
    return reject(element, "src is `system`, `user` or `@raw/name`, found \(found)")
  }
}
