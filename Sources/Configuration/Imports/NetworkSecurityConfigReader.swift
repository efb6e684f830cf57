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
  let now: Int64
  /// Stands for the device's, in which days are meant.
  let timeZone: TimeZone
  /// The certificates behind `@raw/name`; nil: there is no such file that could be used.
  let resolve: (String) -> [Certificate]?
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

  mutating func skip(_ element: MarkupElement) {
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

  // MARK: attributes and findings

  mutating func flag(_ element: MarkupElement, _ name: String) -> Bool? {
    switch element.attributes[name] {
    case nil: return nil
    case "true": return true
    case "false": return false
    case let value?: return reject(element, "\(name)=\"\(value.prefix(40))\" is neither true nor false")
    }
  }

  mutating func report(_ level: Finding.Level, _ element: MarkupElement, _ message: String) {
    findings.append(Finding(level: level, line: element.line, keyPath: element.name, message: message))
  }

  mutating func reject<Value>(_ element: MarkupElement, _ message: String) -> Value? {
    report(.error, element, message)
    return nil
  }
}
