import Names
import Policy
import Records

/// The report as JSON. Its names are stable; members may be added.
extension Review {
  /// `{ file, os, traffic, justifications, unused, hosts, thirdPartyPlainHTTP, pins, findings, smallest }`.
  ///
  /// - Parameter file: what was reviewed, as it was named.
  public func write(to json: inout JSONText, file: String) {
    json.beginObject()
    json.string("file", file)
    json.string("os", "\(os)")
    writeTraffic(to: &json)
    json.beginArray("justifications")
    for justification in justifications { justification.write(to: &json) }
    json.endArray()
    json.beginArray("unused")
    for permission in unused { permission.write(to: &json) }
    json.endArray()
    json.beginArray("hosts")
    for host in hosts { host.write(to: &json) }
    json.endArray()
    json.beginArray("thirdPartyPlainHTTP")
    for host in thirdPartyPlainHTTP { json.string(nil, host.host.text) }
    json.endArray()
    json.beginArray("pins")
    for entry in pins { entry.write(to: &json) }
    json.endArray()
    json.findings("findings", findings)
    json.property("smallest", smallest ?? .null)
    json.endObject()
  }

  /// `{ exchanges, hosts, first, last, leftOut }`, or null without traffic.
  private func writeTraffic(to json: inout JSONText) {
    guard let traffic else { return json.null("traffic") }
    json.beginObject("traffic")
    json.integer("exchanges", traffic.exchangeCount)
    json.integer("hosts", hosts.count)
    json.optional("first", traffic.first.isEmpty ? nil : traffic.first)
    json.optional("last", traffic.last.isEmpty ? nil : traffic.last)
    json.integer("leftOut", traffic.leftOutCount)
    json.endObject()
  }
}

extension Justification {
  fileprivate func write(to json: inout JSONText) {
    json.beginObject()
    json.string("key", key)
    json.optional("scope", scope)
    json.string("reason", reason)
    json.string("text", text)
    json.endObject()
  }
}

extension ATSPermission {
  /// `{ key, scope }`; scope is null for keys that hold everywhere.
  fileprivate func write(to json: inout JSONText) {
    json.beginObject()
    json.string("key", key)
    json.optional("scope", scope)
    json.endObject()
  }
}

extension ReviewedHost {
  fileprivate func write(to json: inout JSONText) {
    json.beginObject()
    json.string("host", host.text)
    json.integer("exchanges", exchangeCount)
    json.string("last", last)
    json.boolean("own", isOwn)
    json.string("verdict", verdict.rawValue)
    json.beginArray("needs")
    for need in needs {
      json.beginObject()
      json.string("violation", need.violation)
      json.optional("key", need.permission?.key)
      json.optional("scope", need.permission?.scope)
      json.integer("exchanges", need.exchangeCount)
      json.endObject()
    }
    json.endArray()
    json.boolean("alsoSecure", isAlsoSecure)
    json.beginArray("notes")
    for note in notes { json.string(nil, note) }
    json.endArray()
    json.endObject()
  }
}

extension ReviewedPins {
  fileprivate func write(to json: inout JSONText) {
    json.beginObject()
    json.string("domain", domain)
    json.property("entry", entry)
    json.boolean("proposed", isProposed)
    if let hasBackup { json.boolean("backup", hasBackup) } else { json.null("backup") }
    json.beginArray("warnings")
    for warning in warnings { json.string(nil, warning) }
    json.endArray()
    json.endObject()
  }
}
