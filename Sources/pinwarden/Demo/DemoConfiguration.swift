import Bytes
import Records

/// The configuration of the demo's proxy.
struct DemoConfiguration {
  /// Of the origins, in the order of the cases.
  let addresses: [String]
  /// Of the key that the servers share.
  let pin: String

  var text: String {
    let out = ByteQueue()
    var json = JSONText(into: out)
    json.beginObject()
    json.beginArray("listeners")
    json.beginObject()
    json.string("address", "127.0.0.1:0")
    json.endObject()
    json.endArray()
    json.null("console")
    json.null("store")
    json.beginObject("upstream")
    json.string("anchors", "root.pem")
    json.beginObject("resolve")
    for (example, address) in zip(DemoCase.all, addresses) {
      json.string(named: "\(example.host):\(example.url.hasPrefix("https:") ? 443 : 80)", address)
    }
    json.endObject()
    json.endObject()
    json.beginObject("trust")
    writePins("right", [pin], to: &json)
    writePins("wrong", ["sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="], to: &json)
    json.endObject()
    json.beginObject("identities")
    json.beginObject("demo")
    json.string("certificate", "client.pem")
    json.string("key", "client.key")
    json.endObject()
    json.endObject()
    json.beginObject("rules")
    json.beginArray("hosts")
    for example in DemoCase.all where example.rule != .none { write(example, to: &json) }
    json.endArray()
    json.endObject()
    json.beginObject("limits")
    json.string("drain", "1s")
    json.endObject()
    json.endObject()
    return String(decoding: out.bytes, as: UTF8.self)
  }

  private func writePins(_ name: StaticString, _ pins: [String], to json: inout JSONText) {
    json.beginObject(name)
    json.beginArray("pins")
    for pin in pins { json.string(nil, pin) }
    json.endArray()
    json.endObject()
  }

  private func write(_ example: DemoCase, to json: inout JSONText) {
    json.beginObject()
    json.string("host", example.host)
    json.string("action", example.rule == .bypass ? "bypass" : "intercept")
    switch example.rule {
    case .none, .bypass: break
    case .rightPin: json.string("trust", "right")
    case .wrongPin: json.string("trust", "wrong")
    case .identity: json.string("identity", "demo")
    }
    json.endObject()
  }
}
