import Names
import Policy

/// Looks for rules that do not do what their author may have thought. Warnings and notes only.
struct RuleLint {
  private let rules: RulesDraft
  private let compiled: HostRules
  private let ats: ATSPolicy
  private let ancestry: PatternAncestry

  init(rules: RulesDraft, ats: ATSPolicy) {
    self.rules = rules
    self.ats = ats
    compiled = rules.compiled
    ancestry = PatternAncestry(rules.hosts.map(\.rule.pattern))
  }

  func report() {
    for entry in rules.hosts {
      reportBreadth(of: entry)
      reportShadows(of: entry)
    }
    reportWhitelist()
    reportEmptyWhitelist()
    reportDefault()
  }

  // MARK: entries

  private func reportBreadth(of entry: RulesDraft.Entry) {
    let pattern = entry.rule.pattern
    let host = entry.field.member("host")
    guard let base = pattern.base else {
      if let name = entry.rule.identities.first { reportOffer(of: name, entry, to: "every host there is") }
      return
    }
    if pattern.breadth != .host, PublicSuffixes.isPublicSuffix(base.text) {
      host.report(
        .warning,
        "`\(pattern)` matches the hosts of strangers: \(base) is a public suffix; name the domains that are meant, such as "
          + "`**.example.\(base)`")
      if let name = entry.rule.identities.first { reportOffer(of: name, entry, to: "the hosts of strangers") }
    }
    if pattern.breadth == .host, base.address == nil, base.labels.count == 1, base.text != "localhost" {
      host.report(
        .note,
        "`\(pattern)` matches only a host that is called just \(base), and no part of other names; for a domain and all below it write "
          + "`**.\(base).example`, with the domain in full")
    }
  }

  private func reportOffer(of identity: String, _ entry: RulesDraft.Entry, to whom: String) {
    entry.field.member("identity").report(
      .warning,
      "`\(entry.rule.pattern)` offers the identity `\(identity)` to \(whom) that asks for a client certificate; name the hosts that it is for"
    )
  }

  /// Entries inherit nothing, and an entry may say what a broader one says already.
  private func reportShadows(of entry: RulesDraft.Entry) {
    let rule = entry.rule
    guard let position = ancestry.parent(of: rule.pattern) else { return }
    let broader = rules.hosts[position].rule
    let isIntercepted = rule.action == .intercept || (rule.action == nil && broader.action != .reject)
    var lost: [String] = []
    if rule.trust == nil, let trust = broader.trust { lost.append("`trust: \"\(trust)\"`") }
    if rule.identities.isEmpty, let name = broader.identities.first { lost.append("`identity: \"\(name)\"`") }
    if isIntercepted, !lost.isEmpty {
      entry.field.report(
        .warning,
        "entries inherit nothing: \(lost.joined(separator: " and ")) of `\(broader.pattern)` is shadowed and does not hold for "
          + "`\(rule.pattern)`; repeat it here if it is meant to")
    } else if rule.saysTheSame(as: broader) {
      entry.field.report(
        .note, "`\(rule.pattern)` says nothing that `\(broader.pattern)` does not say already; take it away")
    }
  }

  // MARK: whitelist

  private func reportWhitelist() {
    var seen: Set<WebOrigin> = []
    for (origin, field) in zip(rules.whitelist, rules.whitelistFields) {
      guard seen.insert(origin).inserted else {
        field.report(.note, "`\(origin)` is in `whitelist` twice; take one away")
        continue
      }
      reportRule(over: origin, field)
      reportCleartext(origin, field)
    }
  }

  /// Rules come first.
  private func reportRule(over origin: WebOrigin, _ field: Field) {
    guard let rule = compiled.action(host: origin.host, port: origin.port), let action = rule.action else { return }
    if action == .bypass {
      field.report(
        .note, "`\(origin)` is bypassed by the entry `\(rule.pattern)` of `rules.hosts` already; take one of them away")
    } else {
      field.report(
        .warning,
        "`\(origin)` has no effect in `whitelist`: the entry `\(rule.pattern)` of `rules.hosts` says \(action.rawValue), and rules come first; "
          + "take one of them away")
    }
  }

  private func reportCleartext(_ origin: WebOrigin, _ field: Field) {
    guard !origin.scheme.isSecure, ats.mode == .enforce,
      !Context.allCases.contains(where: { ats.cleartext(host: origin.host, context: $0).isPermitted })
    else { return }
    field.report(
      .warning,
      "`\(origin)` stays refused though `whitelist` has it: plain HTTP needs the permission of App Transport Security; give "
        + "\(origin.host) NSExceptionAllowsInsecureHTTPLoads in NSExceptionDomains, or write https")
  }

  private func reportEmptyWhitelist() {
    guard rules.emptyWhitelist == .bypass, let field = rules.field?.member("emptyWhitelist") else { return }
    guard rules.whitelist.isEmpty else {
      return field.report(
        .note,
        "`emptyWhitelist` has no effect while `whitelist` has entries: `default` holds for all others; take it away")
    }
    let intercepted = rules.hosts.filter { $0.rule.action == .intercept }.map { "`\($0.rule.pattern)`" }
    field.report(
      .warning,
      "`emptyWhitelist: \"bypass\"` with an empty `whitelist` passes every https host on unseen"
        + (intercepted.isEmpty ? "" : " but for \(intercepted.prefix(3).joined(separator: ", "))")
        + ", and `default` never counts; write \"intercept\", or name the origins that are to be passed on")
  }

  private func reportDefault() {
    guard rules.defaultAction == .bypass, let field = rules.field?.member("default"),
      !rules.hosts.contains(where: { $0.rule.action == .intercept })
    else { return }
    field.report(
      .note,
      "`default: \"bypass\"` with no entry of `hosts` that intercepts passes every https host on unseen; add an entry with "
        + "`action: \"intercept\"`")
  }
}

extension HostRule {
  /// Whether taking this entry away would leave everything as it is, where `broader` is next in line.
  fileprivate func saysTheSame(as broader: HostRule) -> Bool {
    (action == nil || action == broader.action) && trust == broader.trust && identities == broader.identities
      && onTrustFailure == broader.onTrustFailure && http2 == broader.http2 && allowAddresses == broader.allowAddresses
  }
}
