import Names
import Policy
import TLS

/// One entry of `lanes` as it was read; nil members are inherited.
struct LaneDraft {
  let name: String
  let field: Field
  var clients: [CIDR] = []
  var users: [String] = []
  var listeners: [ListenAddress] = []
  var ats: ATSDraft?
  var rules: RulesDraft?
  var identities: [String: Identity]?
  var context: Context?
  var captureByteCount: Int?
  var failOpen = false
  var proxy: ProxyChoice?
}

extension Field {
  func lanes() -> [LaneDraft]? {
    members("an object with a lane for each name is expected")?.compactMap { name, field in
      name.isEmpty ? field.reject("a lane needs a name") : field.lane(name: name)
    }
  }

  private func lane(name: String) -> LaneDraft? {
    section { section in
      var lane = LaneDraft(name: name, field: section.field)
      section.read("clients", into: &lane.clients) { $0.list { $0.network() } }
      section.read("users", into: &lane.users) { $0.list { $0.nonEmptyString() } }
      section.read("listeners", into: &lane.listeners) { $0.list { $0.listenAddress() } }
      section.read("ats", into: &lane.ats) { $0.ats() }
      section.read("rules", into: &lane.rules) { $0.rules() }
      section.read("identities", into: &lane.identities) { $0.identities() }
      section.read("context", into: &lane.context) { $0.context() }
      section.read("capture", into: &lane.captureByteCount) { $0.captureSize() }
      section.read("failOpen", into: &lane.failOpen) { $0.boolean() }
      section.read("proxy", into: &lane.proxy) { $0.proxyChoice() }
      return lane
    }
  }
}
