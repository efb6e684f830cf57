import Names
import Policy

/// `rules`, with the places of its entries for what can be checked only when everything is read.
struct RulesDraft {
  struct Entry {
    let rule: HostRule
    let field: Field
  }

  var whitelist: [WebOrigin] = []
  /// The places of the whitelist's entries.
  var whitelistFields: [Field] = []
  /// Where `rules` itself stands; nil: it is not in the file.
  var field: Field?
  var emptyWhitelist = EmptyWhitelist.intercept
  var defaultAction = RuleAction.intercept
  var hosts: [Entry] = []

  var compiled: HostRules {
    HostRules(
      hosts: hosts.map(\.rule), whitelist: whitelist, emptyWhitelist: emptyWhitelist, default: defaultAction)
  }
}

extension Field {
  private static let actions: [(word: String, value: RuleAction)] = [
    ("intercept", .intercept), ("bypass", .bypass), ("reject", .reject),
  ]

  func rules() -> RulesDraft? {
    section { section in
      var rules = RulesDraft(field: section.field)
      section.read("whitelist", into: &rules.whitelist) { field in
        field.list { entry in
          let origin = entry.origin()
          if origin != nil { rules.whitelistFields.append(entry) }
          return origin
        }
      }
      section.read("emptyWhitelist", into: &rules.emptyWhitelist) {
        $0.choice(of: [("intercept", EmptyWhitelist.intercept), ("bypass", EmptyWhitelist.bypass)])
      }
      section.read("default", into: &rules.defaultAction) { $0.choice(of: Self.actions) }
      section.read("hosts", into: &rules.hosts) { $0.list { $0.hostRule() } }
      var seen: Set<HostPattern> = []
      for entry in rules.hosts where !seen.insert(entry.rule.pattern).inserted {
        entry.field.report(
          .error, "the pattern `\(entry.rule.pattern)` is given twice; only one of the two could count")
      }
      return rules
    }
  }

  private func hostRule() -> RulesDraft.Entry? {
    section { section -> RulesDraft.Entry? in
      var action: RuleAction?
      var trust: String?
      var identities: [String] = []
      var onTrustFailure = TrustFailureMode.respond
      var http2 = true
      var allowAddresses: [CIDR] = []
      var proxy: ProxyChoice?
      let pattern: HostPattern? = section.field("host")?.hostPattern() ?? section.rejectMissing("host")
      section.read("action", into: &action) { $0.choice(of: Self.actions) }
      section.read("trust", into: &trust) { $0.nonEmptyString() }
      section.read("identity", into: &identities) { $0.identityNames() }
      section.read("onTrustFailure", into: &onTrustFailure) {
        $0.choice(of: [("respond", TrustFailureMode.respond), ("refuse", TrustFailureMode.refuse)])
      }
      section.read("http2", into: &http2) { $0.boolean() }
      section.read("proxy", into: &proxy) { $0.proxyChoice() }
      section.read("allowAddresses", into: &allowAddresses) { $0.list { $0.network() } }
      if action == .bypass || action == .reject, trust != nil || !identities.isEmpty {
        section.field.report(.warning, "`trust` and `identity` have no effect where nothing is intercepted")
      }
      return pattern.map {
        let rule = HostRule(
          pattern: $0, action: action, trust: trust, identities: identities, onTrustFailure: onTrustFailure,
          http2: http2, allowAddresses: allowAddresses, proxy: proxy)
        return RulesDraft.Entry(rule: rule, field: section.field)
      }
    } ?? nil
  }

  /// One name, or a list of names in order of preference.
  private func identityNames() -> [String]? {
    if case .array = node.value {
      let names = list { $0.nonEmptyString() }
      if let names, Set(names).count < names.count { report(.warning, "a name stands twice in this list") }
      return names
    }
    return nonEmptyString("the name of an identity, or a list of names, is expected").map { [$0] }
  }
}
