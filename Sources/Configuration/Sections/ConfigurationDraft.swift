import Names
import Policy
import TLS

/// The sections of a configuration as they are read, before lanes are made of them.
struct ConfigurationDraft {
  var listeners: [ListenerSettings] = [ListenerSettings(address: .tcp(.v4(0x7F00_0001), 8080))]
  var console: ConsoleSettings? = ConsoleSettings()
  var access = AccessSettings()
  var stateDirectory: String?
  var authority = AuthoritySettings()
  var ats = ATSDraft()
  var transparency = TransparencySettings()
  var rules = RulesDraft()
  var trust: [String: TrustDraft] = [:]
  var imports: [ImportDraft] = []
  var identities: [String: Identity] = [:]
  var upstream = UpstreamSettings()
  var bodies = BodySettings()
  var pictures = PictureSettings()
  var limits = Limits()
  var store: StoreSettings? = StoreSettings()
  var onboarding = OnboardingSettings()
  var lanes: [LaneDraft] = []
  var log = LogSettings()

  /// Reads the whole document.
  static func read(_ root: Field) -> ConfigurationDraft {
    var draft = ConfigurationDraft()
    draft.ats.os = root.reading.osOverride ?? draft.ats.os
    root.section { section in
      section.read("listeners", into: &draft.listeners) { $0.listeners() }
      draft.console = section.switchable("console", default: draft.console) { $0.console() }
      section.read("access", into: &draft.access) { $0.access() }
      section.read("stateDirectory", into: &draft.stateDirectory) { $0.nonEmptyString().map(root.reading.resolve) }
      section.read("authority", into: &draft.authority) { $0.authority() }
      section.read("ats", into: &draft.ats) { $0.ats() }
      section.read("ct", into: &draft.transparency) { $0.transparency() }
      section.read("rules", into: &draft.rules) { $0.rules() }
      section.read("trust", into: &draft.trust) { $0.trustPolicies() }
      section.read("imports", into: &draft.imports) { $0.imports() }
      section.read("identities", into: &draft.identities) { $0.identities() }
      section.read("upstream", into: &draft.upstream) { $0.upstream() }
      section.read("bodies", into: &draft.bodies) { $0.bodies() }
      section.read("pictures", into: &draft.pictures) { $0.pictures() }
      section.read("limits", into: &draft.limits) { $0.limits() }
      draft.store = section.switchable("store", default: draft.store) { $0.store() }
      section.read("onboarding", into: &draft.onboarding) { $0.onboarding() }
      section.read("lanes", into: &draft.lanes) { $0.lanes() }
      section.read("log", into: &draft.log) { $0.log() }
    }
    return draft
  }
}

extension Section {
  /// A section that `null` switches off.
  func switchable<Value>(_ key: String, default: Value?, _ read: (Field) -> Value?) -> Value? {
    guard let field = presentField(key) else { return `default` }
    if case .null = field.node.value { return nil }
    return read(field) ?? `default`
  }
}
