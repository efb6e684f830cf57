/// Findings about the keys that hold for every destination.
extension ATSLinter {
  mutating func lintGlobal(_ key: String, _ value: PropertyValue) {
    switch key {
    case ATSKey.exceptionDomains, ATSKey.pinnedDomains: return
    case ATSKey.niap: lintNIAP(key, value, path: key)
    case ATSKey.arbitraryLoads: lintFlag(key, value, path: key, absent: "false")
    case ATSKey.mediaOfBetas:
      warn(
        key,
        "\(key) is the name of early betas, which devices ignore; it is read as \(ATSKey.media) here; write \(ATSKey.media)"
      )
      lintScoped(key, value)
    case ATSKey.media, ATSKey.webContent, ATSKey.localNetworking: lintScoped(key, value)
    case _ where ATSKey.exceptions.contains(key) || ATSKey.plainKey(of: key) != nil:
      lintUnknown(
        key, path: key, place: "NSAppTransportSecurity itself", known: [],
        hint: "it belongs into an entry of \(ATSKey.exceptionDomains)")
    default: lintUnknown(key, path: key, place: "NSAppTransportSecurity", known: ATSKey.globals)
    }
  }

  private mutating func lintScoped(_ key: String, _ value: PropertyValue) {
    lintFlag(key, value, path: key, absent: "absent")
    if !profile.readsScopedGlobals {
      note(key, "OS \(profile.os) does not know \(key), which came with iOS 10: it has no effect")
    }
    guard key != ATSKey.localNetworking, value.flag == true else { return }
    note(key, Self.justification(key))
    noteListedDomains(key)
  }

  mutating func lintArbitraryLoads(_ members: [String: PropertyValue]) {
    let key = ATSKey.arbitraryLoads
    guard members[key]?.flag == true else { return }
    note(key, Self.justification(key))
    if let other = Self.scopedKey(in: members) {
      let remedy = "; take \(other) away, or \(key) if ATS is meant to be on"
      if profile.readsScopedGlobals {
        warn(
          key,
          "\(key) has no effect on iOS 10 and later because \(other) is present, whatever its value: ATS is on" + remedy
        )
      } else {
        note(
          key,
          "\(key) counts on OS \(profile.os), but has no effect on iOS 10 and later because \(other) is present"
            + remedy)
      }
    }
    noteListedDomains(key)
  }

  /// The key, as written, whose presence makes `NSAllowsArbitraryLoads` ineffective from iOS 10 on.
  private static func scopedKey(in members: [String: PropertyValue]) -> String? {
    [ATSKey.localNetworking, ATSKey.webContent, ATSKey.media, ATSKey.mediaOfBetas].first {
      members[$0]?.flag != nil
    }
  }

  /// Entries are often taken for a list of what a global key is meant for; they are exempt from it.
  private mutating func noteListedDomains(_ key: String) {
    let listed = policy.dictionary[ATSKey.exceptionDomains]?.members ?? [:]
    let strict = listed.filter { $0.value.members != nil && $0.value[ATSKey.insecureHTTP]?.flag != true }
    guard !strict.isEmpty else { return }
    let names = strict.keys.sorted().prefix(3).joined(separator: ", ")
    note(
      key,
      "\(key) does not apply to the domains that \(ATSKey.exceptionDomains) lists: ATS stays on for \(names)"
        + (strict.count > 3 ? " and \(strict.count - 3) more" : "")
        + "; give them \(ATSKey.insecureHTTP), or take the entries away, if that is not meant")
  }
}
