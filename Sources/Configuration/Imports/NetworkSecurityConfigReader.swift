import Foundation
import Names
import Policy
import TLS

/// Reads Android's `network_security_config.xml` and rejects what Android's own parser rejects (AOSP `XmlConfigSource`).
struct NetworkSecurityConfigReader {
  /// Which of the elements with settings is read; what they may hold differs.
  private enum Kind: String {
    case base = "base-config"
    case domain = "domain-config"
    case debug = "debug-overrides"
  }

  private let targetSDK: Int
  private let isDebuggable: Bool
  /// Seconds since 1970.
  private let now: Int64
  /// Stands for the device's, in which days are meant.
  private let timeZone: TimeZone
  /// The certificates behind `@raw/name`; nil: there is no such file that could be used.
  private let resolve: (String) -> [Certificate]?
  private(set) var findings: [Finding] = []
  private var seenDomains: Set<String> = []

  init(
    targetSDK: Int, isDebuggable: Bool, now: Int64, timeZone: TimeZone, resolve: @escaping (String) -> [Certificate]?
  ) {
    self.targetSDK = targetSDK
    self.isDebuggable = isDebuggable
    self.now = now
    self.timeZone = timeZone
    self.resolve = resolve
  }

  /// nil if an error is among the findings.
  mutating func read(_ root: MarkupElement) -> NetworkSecurityConfig? {
    guard root.name == "network-security-config" else {
      report(.error, root, "the root is `\(root.name.prefix(100))`; `network-security-config` is expected")
      return nil
    }
    var base: NetworkSecurityConfig.Settings?
    var debug: NetworkSecurityConfig.Settings?
    var domains: [NetworkSecurityConfig.DomainConfig] = []
    for child in root.children {
      switch child.name {
      case Kind.base.rawValue:
        if base != nil { report(.error, child, "Android allows only one `base-config`") }
        base = settings(child, .base)
      case Kind.debug.rawValue:
        if debug != nil { report(.error, child, "Android allows only one `debug-overrides`") }
        debug = debugOverrides(child)
      case Kind.domain.rawValue: domains.append(domainConfig(child))
      default: skip(child)
      }
    }
    guard !findings.contains(where: { $0.level == .error }) else { return nil }
    return NetworkSecurityConfig(
      base: base, domains: domains, debugAnchors: debug?.anchors ?? [], targetSDK: targetSDK)
  }

  /// Nothing of it is looked at unless the application is debuggable.
  private mutating func debugOverrides(_ element: MarkupElement) -> NetworkSecurityConfig.Settings {
    if isDebuggable { return settings(element, .debug) }
    report(.note, element, "`debug-overrides` count only with `debug: true`, as they do for debuggable applications")
    return NetworkSecurityConfig.Settings()
  }

  // MARK: elements with settings

  private mutating func domainConfig(_ element: MarkupElement) -> NetworkSecurityConfig.DomainConfig {
    let settings = settings(element, .domain)
    var config = NetworkSecurityConfig.DomainConfig([], settings)
    for child in element.children {
      switch child.name {
      case "domain": if let domain = domain(child) { config.domains.append(domain) }
      case Kind.domain.rawValue: config.nested.append(domainConfig(child))
      default: break
      }
    }
    if !element.children.contains(where: { $0.name == "domain" }) {
      report(.error, element, "Android rejects a `domain-config` without `domain`")
    }
    return config
  }

  private mutating func settings(_ element: MarkupElement, _ kind: Kind) -> NetworkSecurityConfig.Settings {
    var settings = NetworkSecurityConfig.Settings()
    settings.permitsCleartext = flag(element, "cleartextTrafficPermitted")
    if flag(element, "hstsEnforced") == true { report(.note, element, "`hstsEnforced` has no effect here") }
    var hasPins = false
    for child in element.children {
      switch child.name {
      case "trust-anchors":
        if settings.anchors != nil { report(.error, child, "Android allows only one `trust-anchors` in an element") }
        settings.anchors = anchors(child, overridesPins: kind == .debug)
      case "pin-set" where kind == .domain:
        if hasPins { report(.error, child, "Android allows only one `pin-set` in an element") }
        hasPins = true
        settings.pins = pins(child)
      case "domain" where kind == .domain, Kind.domain.rawValue where kind == .domain: break
      case "domain", "domain-config", "pin-set":
        report(.error, child, "Android allows no `\(child.name)` in `\(kind.rawValue)`")
      case "certificateTransparency":
        report(
          .warning, child,
          "this is not imported; `requiresCertificateTransparency` of a trust policy asks for Certificate Transparency")
      case "domainEncryption": report(.note, child, "`domainEncryption` has no effect here")
      default: skip(child)
      }
    }
    return settings
  }

  private mutating func skip(_ element: MarkupElement) {
    report(.warning, element, "`\(element.name.prefix(100))` is not known here and is passed over, as Android does")
  }

  // MARK: domains

  private mutating func domain(_ element: MarkupElement) -> NetworkSecurityConfig.Domain? {
    let includesSubdomains = flag(element, "includeSubdomains") ?? false
    let name = element.trimmedText.lowercased()
    guard !name.isEmpty else { return reject(element, "the domain is empty") }
    guard seenDomains.insert(name).inserted else {
      return reject(element, "`\(name.prefix(100))` is given twice, which Android rejects")
    }
    if name.contains("*") {
      report(
        .warning, element,
        "`\(name.prefix(100))` never matches: Android has no wildcards; write the name alone with includeSubdomains=\"true\""
      )
    } else if (try? Host(name))?.text != name {
      report(
        .warning, element,
        "`\(name.prefix(100))` never matches: it is no host name without port and trailing dot, in A-labels")
    }
    return NetworkSecurityConfig.Domain(name, includesSubdomains: includesSubdomains)
  }

  // MARK: pins

  private mutating func pins(_ element: MarkupElement) -> NetworkSecurityConfig.Pins {
    var pins: Set<Pin> = []
    for child in element.children {
      guard child.name == "pin" else {
        skip(child)
        continue
      }
      if let pin = pin(child) { pins.insert(pin) }
    }
    let expires = element.attributes["expiration"].flatMap { expiry($0, element) }
    if let expires, expires < now {
      report(.warning, element, "the pins have expired, so they are not looked at")
    } else if pins.isEmpty {
      report(.warning, element, "there is no pin, so nothing is pinned")
    } else if pins.count == 1 {
      report(.note, element, "there is one pin and no backup: a new key at the origin locks the application out")
    }
    return NetworkSecurityConfig.Pins(pins, expires: expires)
  }

  private mutating func pin(_ element: MarkupElement) -> Pin? {
    guard let algorithm = element.attributes["digest"], algorithm == "SHA-256" else {
      let found = element.attributes["digest"].map { "`\($0.prefix(40))`" } ?? "nothing"
      return reject(element, "digest=\"SHA-256\" is expected, found \(found)")
    }
    let text = element.trimmedText
    return Pin(base64: text) ?? reject(element, "`\(text.prefix(100))` is not the base64 of 32 bytes")
  }

  private mutating func expiry(_ text: String, _ element: MarkupElement) -> Int64? {
    let numbers = text.split(separator: "-", omittingEmptySubsequences: false).map { part in
      (1...4).contains(part.utf8.count) && part.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(part) : nil
    }
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = timeZone
    guard numbers.count == 3, let year = numbers[0], let month = numbers[1], let day = numbers[2],
      case let components = DateComponents(calendar: calendar, timeZone: timeZone, year: year, month: month, day: day),
      components.isValidDate, let date = calendar.date(from: components)
    else { return reject(element, "expiration=\"\(text.prefix(40))\" is no day such as 2030-01-31") }
    return Int64(calendar.startOfDay(for: date).timeIntervalSince1970)
  }

  // MARK: anchors

  private mutating func anchors(_ element: MarkupElement, overridesPins: Bool) -> [TrustAnchorSource] {
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
      return .certificates(Set(certificates.map(\.fingerprint)))
    default: break
    }
    let found = element.attributes["src"].map { "`\($0.prefix(100))`" } ?? "nothing"
    return reject(element, "src is `system`, `user` or `@raw/name`, found \(found)")
  }

  // MARK: attributes and findings

  private mutating func flag(_ element: MarkupElement, _ name: String) -> Bool? {
    switch element.attributes[name] {
    case nil: return nil
    case "true": return true
    case "false": return false
    case let value?: return reject(element, "\(name)=\"\(value.prefix(40))\" is neither true nor false")
    }
  }

  private mutating func report(_ level: Finding.Level, _ element: MarkupElement, _ message: String) {
    findings.append(Finding(level: level, line: element.line, keyPath: element.name, message: message))
  }

  private mutating func reject<Value>(_ element: MarkupElement, _ message: String) -> Value? {
    report(.error, element, message)
    return nil
  }
}

extension MarkupElement {
  fileprivate var trimmedText: String { text.trimmingCharacters(in: .whitespacesAndNewlines) }
}
