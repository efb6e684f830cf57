import Names

/// Which parts of the dictionary permit what.
extension ATSPolicy {
  /// The parts that let a load pass in spite of a violation of full App Transport Security; empty: none does, and it is refused unless the
  /// violation is none here.
  ///
  /// - Parameter violation: as records name it.
  public func permissions(for violation: String, of load: ATSLoad) -> [ATSPermission] {
    switch ground(load.host, load.context) {
    case .exception(let exception):
      return exception.isBuiltIn ? [] : permissions(for: violation, of: load, by: exception)
    case .mediaKey: return isWaived(violation) ? [ATSPermission(ATSKey.media)] : []
    case .webContentKey: return isWaived(violation) ? [ATSPermission(ATSKey.webContent)] : []
    case .arbitraryLoads: return isWaived(violation) ? [ATSPermission(ATSKey.arbitraryLoads)] : []
    case .local(byKey: true): return isWaived(violation) ? [ATSPermission(ATSKey.localNetworking)] : []
    case .beforeATS, .local, .localDenied, .neutralised, .denied: return []
    }
  }

  private func isWaived(_ violation: String) -> Bool {
    [Self.cleartextViolation, ATSViolation.minimumTLS.name, ATSViolation.forwardSecrecy.name].contains(violation)
  }

  private func permissions(
    for violation: String, of load: ATSLoad, by exception: DomainException
  ) -> [ATSPermission] {
    let key: String
    switch violation {
    case Self.cleartextViolation:
      guard exception.permitsPlainHTTP else { return [] }
      key = ATSKey.insecureHTTP
    case ATSViolation.minimumTLS.name:
      guard exception.requirements.offeredMinimum <= load.version ?? .v11 else { return [] }
      key = ATSKey.minimumTLS
    case ATSViolation.forwardSecrecy.name:
      guard !exception.requirements.forwardSecrecy else { return [] }
      key = ATSKey.forwardSecrecy
    default: return []
    }
    let isBelow = exception.depth(of: load.host) ?? 0 > 0
    return [ATSPermission(key, in: exception.key)]
      + (isBelow ? [ATSPermission(ATSKey.subdomains, in: exception.key)] : [])
  }

  /// Everything in the dictionary that permits something, whether it has an effect or not: what holds everywhere first, then entries by
  /// name.
  public var permissions: [ATSPermission] {
    let keys = [ATSKey.arbitraryLoads, ATSKey.media, ATSKey.webContent, ATSKey.localNetworking]
    let everywhere = keys.filter { key in
      dictionary[key]?.flag ?? (key == ATSKey.media ? dictionary[ATSKey.mediaOfBetas]?.flag : nil) ?? false
    }
    return everywhere.map { ATSPermission($0) } + entries.flatMap { permissions(in: $0, $1) }
  }

  /// The entries of `NSExceptionDomains` by name.
  private var entries: [(key: String, members: [String: PropertyValue])] {
    (dictionary[ATSKey.exceptionDomains]?.members ?? [:]).sorted { $0.key < $1.key }
      .compactMap { key, value in value.members.map { (key, $0) } }
  }

  private func permissions(in key: String, _ members: [String: PropertyValue]) -> [ATSPermission] {
    let exception = DomainException(key: key, members: members, profile: profile)
    var keys: [String] = []
    if exception.permitsPlainHTTP { keys.append(ATSKey.insecureHTTP) }
    if exception.requirements.offeredMinimum < .v12 { keys.append(ATSKey.minimumTLS) }
    if !exception.requirements.forwardSecrecy { keys.append(ATSKey.forwardSecrecy) }
    // Without anything else in the entry its subdomains are as strict as all others.
    if exception.includesSubdomains, !keys.isEmpty { keys.append(ATSKey.subdomains) }
    return keys.map { ATSPermission($0, in: key) }
  }

  /// Why a permission has no effect; a clause. nil: it has.
  public func objection(to permission: ATSPermission) -> String? {
    if let scope = permission.scope { return ATSLinter.reasonToMatchNothing(scope).map { "it matches nothing: \($0)" } }
    switch permission.key {
    case ATSKey.arbitraryLoads:
      return globals.scopedKey.map { "\($0) is present, which makes it ineffective from iOS 10 on" }
    case ATSKey.media, ATSKey.webContent, ATSKey.localNetworking:
      return profile.readsScopedGlobals ? nil : "OS \(os) does not know it"
    default: return nil
    }
  }
}

extension ATSPolicy {
  /// The keys about which App Review asks, as they stand in the dictionary (spec A.7). An old name counts only where the system reads it.
  public var keysToJustify: [ATSPermission] {
    let asked = [ATSKey.arbitraryLoads, ATSKey.media, ATSKey.webContent]
    return permissions.filter { $0.scope == nil && asked.contains($0.key) }
      + entries.flatMap { key, members in keysToJustify(in: key, members) }
  }

  private func keysToJustify(in key: String, _ members: [String: PropertyValue]) -> [ATSPermission] {
    func value(_ name: String) -> PropertyValue? {
      members[name] ?? (profile.readsAliases ? ATSKey.aliases(of: name).lazy.compactMap { members[$0] }.first : nil)
    }
    var keys: [String] = []
    if value(ATSKey.insecureHTTP)?.flag == true { keys.append(ATSKey.insecureHTTP) }
    let version = value(ATSKey.minimumTLS)?.text.flatMap { text in TLSVersion.allCases.first { $0.name == text } }
    // Also where the system no longer goes that low: the key stands there all the same.
    if let version, version < .v12 { keys.append(ATSKey.minimumTLS) }
    return keys.map { ATSPermission($0, in: key) }
  }

  /// The members of an entry that ask for more than full App Transport Security does, by the name of the entry.
  public var tightenedDomains: [String: PropertyValue] {
    var found: [String: PropertyValue] = [:]
    for (key, members) in entries where ATSLinter.reasonToMatchNothing(key) == nil {
      let needed = DomainException(key: key, members: members, profile: profile).requirements
      var kept: [String: PropertyValue] = [:]
      if needed.offeredMinimum > .v12 { kept[ATSKey.minimumTLS] = members[ATSKey.minimumTLS] }
      if needed.niap != nil { kept[ATSKey.exceptionNIAP] = members[ATSKey.exceptionNIAP] }
      guard !kept.isEmpty else { continue }
      kept[ATSKey.subdomains] = members[ATSKey.subdomains]
      found[key] = .dictionary(kept)
    }
    return found
  }
}
