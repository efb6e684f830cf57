import Names

/// Findings about the keys inside an entry of `NSExceptionDomains`.
extension ATSLinter {
  mutating func lintMember(_ key: String, _ value: PropertyValue, path: String) {
    switch key {
    case ATSKey.subdomains, ATSKey.insecureHTTP: lintFlag(key, value, path: path, absent: "false")
    case ATSKey.forwardSecrecy: lintForwardSecrecy(value, path: path)
    case ATSKey.minimumTLS: lintVersion(value, path: path)
    case ATSKey.transparency:
      note(
        path, "\(key) is obsolete and has no effect: the system asks for certificate transparency anyway; take it away")
    case ATSKey.exceptionNIAP: lintNIAP(key, value, path: path)
    default:
      if let plain = ATSKey.plainKey(of: key) { return lintAlias(key, of: plain, value, path: path) }
      let hint = ATSKey.globals.contains(key) ? "it belongs beside \(ATSKey.exceptionDomains)" : ""
      lintUnknown(
        key, path: path, place: "an entry of \(ATSKey.exceptionDomains)", known: ATSKey.exceptions, hint: hint)
    }
  }

  private mutating func lintForwardSecrecy(_ value: PropertyValue, path: String) {
    let key = ATSKey.forwardSecrecy
    lintFlag(key, value, path: path, absent: "true")
    switch value {
    case .integer(0), .integer(1), .real(0), .real(1): return
    case .integer, .real: warn(path, "counting as false, \(key) permits suites without forward secrecy")
    default: return
    }
  }

  private mutating func lintAlias(_ key: String, of plain: String, _ value: PropertyValue, path: String) {
    guard profile.readsAliases else {
      return warn(
        path,
        "\(key) is an old name of \(plain), which OS \(profile.os) does not read: the entry is stricter than it looks; write \(plain)"
      )
    }
    warn(path, "\(key) is an old name of \(plain), which OS 18.4 and later do not read; write \(plain)")
    lintMember(plain, value, path: path)
  }

  private mutating func lintVersion(_ value: PropertyValue, path: String) {
    let key = ATSKey.minimumTLS
    guard let text = value.text, let version = TLSVersion.allCases.first(where: { $0.name == text }) else {
      return warn(
        path,
        "\(key) is none of TLSv1.0, TLSv1.1, TLSv1.2 and TLSv1.3, spelt exactly so, and is ignored: TLSv1.2 is asked for; write one of them"
      )
    }
    if version > profile.highestTLS {
      warn(
        path,
        "OS \(profile.os) does not speak \(text), so \(key) is ignored: \(TLSVersion.v12.name) is asked for; write \(profile.highestTLS.name)"
      )
    } else if version < profile.lowestTLS {
      warn(
        path,
        "OS \(profile.os) no longer accepts \(text), whatever \(key) says: \(profile.lowestTLS.name) is asked for; enable that at the origin"
      )
    } else if version < .v12 {
      note(
        path,
        "\(Self.justification(key)) below TLSv1.2, and OS 26 no longer accepts \(text); enable TLSv1.2 at the origin")
    }
  }
}
