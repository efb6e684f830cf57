import Bytes
import Configuration
import Names
import Policy
import Records

/// The policy in force as one JSON document: for each lane what holds for its clients. No key, passphrase or token is in it.
struct PolicyDocument {
  private let configuration: Configuration

  init(_ configuration: Configuration) {
    self.configuration = configuration
  }

  var bytes: [UInt8] {
    let out = ByteQueue()
    var json = JSONText(into: out)
    json.beginObject()
    json.optional("file", configuration.file)
    json.beginArray("listeners")
    for listener in configuration.listeners { write(listener, to: &json) }
    json.endArray()
    json.beginArray("lanes")
    for lane in lanes { write(lane, to: &json) }
    json.endArray()
    json.endObject()
    return Array(out.bytes)
  }

  private func write(_ listener: ListenerSettings, to json: inout JSONText) {
    json.beginObject()
    json.string("address", "\(listener.address)")
    json.endObject()
  }

  /// The default lane, then the others by name.
  private var lanes: [Lane] {
    let others = configuration.lanes.values.filter { $0 !== configuration.defaultLane }
    return [configuration.defaultLane] + others.sorted { $0.name < $1.name }
  }

  private func write(_ lane: Lane, to json: inout JSONText) {
    json.beginObject()
    json.string("name", lane.name)
    json.strings("clients", lane.clients.map { "\($0)" })
    json.strings("users", lane.users)
    json.string("context", lane.context?.rawValue ?? "auto")
    json.boolean("failOpen", lane.failOpen)
    write(lane.policy.ats, to: &json)
    write(lane.policy.rules, to: &json)
    json.beginObject("trust")
    for (name, trust) in lane.policy.trust.sorted(by: { $0.key < $1.key }) {
      json.beginObject(named: name)
      write(trust, to: &json)
      json.endObject()
    }
    json.endObject()
    json.strings("identities", lane.identities.keys.sorted())
    json.endObject()
  }

  // MARK: App Transport Security

  private func write(_ ats: ATSPolicy, to json: inout JSONText) {
    json.beginObject("ats")
    json.string("mode", ats.mode.rawValue)
    json.string("os", "\(ats.os)")
    json.property("dictionary", ats.dictionary)
    json.findings("findings", ats.lint())
    json.endObject()
  }

  // MARK: rules

  private func write(_ rules: HostRules, to json: inout JSONText) {
    json.beginObject("rules")
    json.string("default", rules.defaultAction.rawValue)
    json.string("emptyWhitelist", rules.emptyWhitelist.rawValue)
    json.strings("whitelist", rules.whitelist.map { "\($0)" })
    json.beginArray("hosts")
    for rule in rules.hosts { write(rule, to: &json) }
    json.endArray()
    json.endObject()
  }

  private func write(_ rule: HostRule, to json: inout JSONText) {
    json.beginObject()
    json.string("host", rule.pattern.text)
    json.optional("action", rule.action?.rawValue)
    json.optional("trust", rule.trust)
    json.strings("identity", rule.identities)
    json.string("onTrustFailure", rule.onTrustFailure.rawValue)
    json.boolean("http2", rule.http2)
    json.strings("allowAddresses", rule.allowAddresses.map { "\($0)" })
    json.endObject()
  }

  // MARK: trust

  private func write(_ trust: TrustPolicy, to json: inout JSONText) {
    json.string("pinning", trust.pinning.rawValue)
    json.strings("pins", trust.pins.map(\.text))
    json.beginArray("certificates")
    for certificate in trust.certificates {
      json.beginObject()
      json.string("subject", certificate.subject)
      json.string("pin", Pin(of: certificate).text)
      json.endObject()
    }
    json.endArray()
    json.boolean("allowInvalidCertificates", trust.allowInvalidCertificates)
    json.boolean("validatesDomainName", trust.validatesDomainName)
    json.boolean("validatesCertificateChain", trust.validatesCertificateChain)
    if let expires = trust.expires { json.time("expires", milliseconds: expires * 1_000) } else { json.null("expires") }
    json.boolean("enforce", trust.enforce)
    json.strings("reportURIs", trust.reportURIs)
    json.findings("findings", trust.lint(now: Log.now / 1_000))
  }
}

extension JSONText {
  /// An array of strings.
  fileprivate mutating func strings(_ key: StaticString, _ values: [String]) {
    beginArray(key)
    for value in values { string(nil, value) }
    endArray()
  }
}
