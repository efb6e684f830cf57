import Names
import Policy
import TLS

/// Makes lanes of what was read: fills in what each inherits, compiles its policy, and checks what names what.
struct LaneAssembly {
  private let draft: ConfigurationDraft
  private let root: Field
  private let trust: [String: TrustPolicy]
  private let materials: [String: TrustMaterial]
  /// The policies of the default lane, shared by the lanes that inherit them.
  private let rules: HostRules
  private let ats: ATSPolicy
  /// The names under `trust` and `identities` in the file, usable or not: what could not be read has been reported already.
  private let declared: [String: Set<String>]

  init(_ draft: ConfigurationDraft, root: Field) {
    self.draft = draft
    self.root = root
    rules = draft.rules.compiled
    ats = draft.ats.compiled
    declared = root.declaredNames
    trust = draft.trust.mapValues(\.policy)
    materials = draft.trust.mapValues(\.material)
  }

  func lanes() -> (all: [String: Lane], default: Lane) {
    var lanes: [String: Lane] = [:]
    for lane in draft.lanes { lanes[lane.name] = make(lane.name, lane) }
    for listener in draft.listeners where lanes[listener.lane] == nil {
      lanes[listener.lane] = make(listener.lane, nil)
    }
    let standard = lanes[Lane.defaultName] ?? make(Lane.defaultName, nil)
    lanes[Lane.defaultName] = standard
    return (lanes, standard)
  }

  private func make(_ name: String, _ lane: LaneDraft?) -> Lane {
    let policy = LanePolicy(
      lane: name, ats: lane?.ats?.compiled ?? ats, rules: lane?.rules?.compiled ?? rules, trust: trust,
      imports: draft.imports.flatMap(\.policies))
    return Lane(
      name: name, policy: policy, identities: lane?.identities ?? draft.identities, materials: materials,
      context: lane?.context,
      captureByteCount: lane?.captureByteCount ?? draft.bodies.captureByteCount, clients: lane?.clients ?? [],
      users: lane?.users ?? [], failOpen: lane?.failOpen ?? false, proxy: lane?.proxy,
      sharesRules: lane?.rules == nil)
  }

  // MARK: Checks

  /// Looks at everything that names something else.
  func check() {
    checkNames(of: draft.rules, identities: draft.identities, reportedAt: nil)
    checkLoosening(rules: draft.rules, ats: draft.ats)
    for lane in draft.lanes where lane.rules != nil || lane.identities != nil {
      checkNames(
        of: lane.rules ?? draft.rules, identities: lane.identities ?? draft.identities,
        reportedAt: lane.rules == nil ? lane.field.member("identities") : nil)
    }
    for lane in draft.lanes where lane.rules != nil || lane.ats != nil {
      checkLoosening(rules: lane.rules ?? draft.rules, ats: lane.ats ?? draft.ats)
    }
    checkUse()
    checkOverlaps()
    lint()
  }

  /// What does not do what its author may have thought.
  private func lint() {
    let hosts = namedHosts
    draft.ats.lint(naming: hosts)
    for lane in draft.lanes { lane.ats?.lint(naming: hosts) }
    for (_, trust) in draft.trust.sorted(by: { $0.key < $1.key }) { trust.lint() }
    RuleLint(rules: draft.rules, ats: ats).report()
    HookLint(draft, policy: lanes().default.policy, root: root).report()
    for lane in draft.lanes {
      guard let rules = lane.rules else { continue }
      RuleLint(rules: rules, ats: lane.ats?.compiled ?? ats).report()
    }
  }

  /// The hosts that the configuration says something about.
  private var namedHosts: [Host] {
    let rules = [draft.rules] + draft.lanes.compactMap(\.rules)
    let named = rules.flatMap { $0.hosts.compactMap(\.rule.pattern.base) } + rules.flatMap { $0.whitelist.map(\.host) }
    return named + draft.upstream.resolve.hosts
  }

  /// Reports trust policies and identities that rules name but that do not exist; at `place` where the rules are inherited.
  private func checkNames(of rules: RulesDraft, identities: [String: Identity], reportedAt place: Field?) {
    for entry in rules.hosts {
      if place == nil, let name = entry.rule.trust, declared["trust"]?.contains(name) != true {
        entry.field.member("trust").report(
          .error, "there is no trust policy `\(name)`\(Self.known(Array(trust.keys), near: name))")
      }
      for name in entry.rule.identities where identities[name] == nil {
        if place == nil, declared["identities"]?.contains(name) == true { continue }
        let message = "there is no identity `\(name)`\(Self.known(Array(identities.keys), near: name))"
        if let place {
          place.report(.error, "\(message); the rule for `\(entry.rule.pattern)` asks for it")
        } else {
          entry.field.member("identity").report(.error, message)
        }
      }
    }
  }

  private static func known(_ names: [String], near name: String) -> String {
    if let near = NearestKey.find(name, among: names) { return "; did you mean `\(near)`?" }
    return names.isEmpty ? "; none is configured" : "; there are \(names.sorted().prefix(10).joined(separator: ", "))"
  }

  /// Warns of permissions that App Transport Security does not let take effect (contract, section 4).
  private func checkLoosening(rules: RulesDraft, ats: ATSDraft) {
    guard ats.mode != .off else { return }
    let policy = ats.compiled
    for entry in rules.hosts {
      guard let name = entry.rule.trust, draft.trust[name]?.loosens == true else { continue }
      let hint =
        "it needs NSExceptionAllowsInsecureHTTPLoads for the host in NSExceptionDomains, or `ats.mode: \"off\"`"
      guard let host = entry.rule.pattern.example else {
        entry.field.member("trust").report(
          .warning, "what `\(name)` permits takes effect only where App Transport Security lets it; \(hint)")
        continue
      }
      if !policy.requirements(host: host, context: .app).permitsLoosening {
        entry.field.member("trust").report(
          .warning, "what `\(name)` permits has no effect for `\(host)` under App Transport Security; \(hint)")
      }
    }
  }

  /// Notes what nothing uses.
  private func checkUse() {
    let rules = ([draft.rules] + draft.lanes.compactMap(\.rules)).flatMap(\.hosts).map(\.rule)
    let trusts = Set(rules.compactMap(\.trust))
    checkIdentityUse(rules)
    checkFailOpen()
    for (name, trust) in draft.trust.sorted(by: { $0.key < $1.key }) where !trusts.contains(name) {
      trust.field.report(.note, "no rule names this trust policy, so it has no effect")
    }
    let used = Set(draft.lanes.flatMap(\.users))
    if !used.isEmpty, draft.access.credentials == nil, let lane = draft.lanes.first(where: { !$0.users.isEmpty }) {
      lane.field.member("users").report(
        .warning, "without `access.credentials` no client has a user, so this never selects the lane")
    }
  }

  private func checkIdentityUse(_ rules: [HostRule]) {
    let named = Set(rules.flatMap(\.identities))
    for name in draft.identities.keys.sorted() where !named.contains(name) {
      root.member("identities").member(name).report(.note, "no rule names this identity, so it is never sent")
    }
  }

  private func checkFailOpen() {
    for lane in draft.lanes where lane.failOpen {
      guard (lane.rules ?? draft.rules).defaultAction != .intercept else { continue }
      lane.field.member("failOpen").report(
        .warning, "this has no effect: it concerns only hosts that `rules.default: \"intercept\"` intercepts")
    }
  }

  /// Two lanes cannot have the same user, the same network or the same listener.
  private func checkOverlaps() {
    var users: [String: String] = [:]
    var networks: [CIDR: String] = [:]
    for lane in draft.lanes {
      for user in lane.users {
        if let other = users.updateValue(lane.name, forKey: user) {
          lane.field.member("users").report(.error, "the user `\(user)` is also in lane `\(other)`")
        }
      }
      for network in lane.clients {
        if let other = networks.updateValue(lane.name, forKey: network) {
          lane.field.member("clients").report(.error, "the network `\(network)` is also in lane `\(other)`")
        }
      }
    }
  }
}

extension Field {
  /// The keys under `trust` and `identities`, whether their values can be used or not.
  fileprivate var declaredNames: [String: Set<String>] {
    var names: [String: Set<String>] = [:]
    for section in ["trust", "identities"] {
      let field = member(section)
      guard field.path.steps == [section], case .object(let members) = field.node.value else { continue }
      names[section] = Set(members.map(\.key))
    }
    return names
  }
}
