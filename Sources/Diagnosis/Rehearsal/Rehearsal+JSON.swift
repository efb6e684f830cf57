import Configuration
import Names
import Policy
import Records
import TLS

/// The rehearsal as JSON. Its names are stable; members may be added.
extension Rehearsal {
  /// `{ accepted, replacements, hosts: [{host, lanes, new, accepted, windows: {old, new, both}, places, reason}] }`; times as RFC 3339, `until`
  /// null where nothing is known that ends it.
  public func write(to json: inout JSONText) {
    json.beginObject()
    json.boolean("accepted", isAccepted)
    json.beginArray("replacements")
    for replacement in replacements {
      json.beginObject()
      Self.write("old", replacement.oldName, replacement.old, to: &json)
      Self.write("new", replacement.newName, replacement.new, to: &json)
      json.boolean("borrowsIssuers", replacement.borrowsIssuers)
      json.endObject()
    }
    json.endArray()
    json.beginArray("hosts")
    for host in hosts { host.write(to: &json) }
    json.endArray()
    json.endObject()
  }

  private static func write(_ key: StaticString, _ name: String, _ chain: [Certificate], to json: inout JSONText) {
    json.beginObject(key)
    json.string("file", name)
    json.optional("subject", chain.first?.subject)
    json.beginArray("pins")
    for certificate in chain { json.string(nil, Pin(of: CertificateFacts(certificate)).text) }
    json.endArray()
    json.endObject()
  }
}

extension RehearsedHost {
  fileprivate func write(to json: inout JSONText) {
    json.beginObject()
    json.string("host", host.text)
    json.beginArray("lanes")
    for lane in lanes { json.string(nil, lane) }
    json.endArray()
    json.string("new", newName)
    json.boolean("accepted", isAccepted)
    json.beginObject("windows")
    old.write("old", to: &json)
    new.write("new", to: &json)
    both.write("both", to: &json)
    json.endObject()
    json.beginArray("places")
    for place in places { place.write(to: &json) }
    json.endArray()
    json.optional("reason", reason)
    json.endObject()
  }
}

extension RehearsedPlace {
  fileprivate func write(to json: inout JSONText) {
    json.beginObject()
    json.string("place", place.name)
    json.optional("format", place.format)
    json.boolean("accepted", isAccepted)
    json.optional("matchedPin", matchedPin)
    json.boolean("backup", isBackup)
    windows.write("windows", to: &json)
    json.optional("reason", reason)
    json.beginArray("change")
    for line in change { json.string(nil, line) }
    json.endArray()
    json.endObject()
  }
}

extension [TimeWindow] {
  fileprivate func write(_ key: StaticString, to json: inout JSONText) {
    json.beginArray(key)
    for window in self {
      json.beginObject()
      json.time("from", milliseconds: window.from.inMilliseconds)
      if let until = window.until {
        json.time("until", milliseconds: until.inMilliseconds)
      } else {
        json.null("until")
      }
      json.endObject()
    }
    json.endArray()
  }
}

extension Int64 {
  /// Clamped: certificates can name moments that no calendar has.
  fileprivate var inMilliseconds: Int64 {
    let (product, overflows) = multipliedReportingOverflow(by: 1_000)
    return overflows ? (self < 0 ? .min : .max) : product
  }
}
