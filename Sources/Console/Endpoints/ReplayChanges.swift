import Foundation
import Records

/// What is to be different when a recorded request is sent once more: `{method?, url?, headers?: {name: value|null}, body?:
/// {text|base64}}`.
struct ReplayChanges: Equatable {
  private enum Key: String, CaseIterable {
    case method, url, headers, body
  }

  private(set) var method: String?
  private(set) var url: String?
  /// nil: without that field.
  private(set) var headers: [String: String?] = [:]
  private(set) var body: [UInt8]?

  /// - Parameter text: JSON; empty: nothing is different.
  init(_ text: [UInt8]) throws(ControlFault) {
    guard !text.isEmpty else { return }
    guard let members = (try? JSONSerialization.jsonObject(with: Data(text))) as? [String: Any] else {
      throw ControlFault(.invalid, "the body must be a JSON object with the members \(Self.known), all optional")
    }
    for (name, value) in members {
      guard let key = Key(rawValue: name) else {
        throw ControlFault(.invalid, "`\(name.prefix(64))` is not known here; there are \(Self.known)")
      }
      try read(value, of: key)
    }
  }

  private static var known: String { Key.allCases.map(\.rawValue).joined(separator: ", ") }

  private mutating func read(_ value: Any, of key: Key) throws(ControlFault) {
    switch key {
    case .method: method = try Self.string(value, "method")
    case .url: url = try Self.string(value, "url")
    case .headers: headers = try Self.headers(value)
    case .body: body = try Self.body(value)
    }
  }

  private static func string(_ value: Any, _ place: String) throws(ControlFault) -> String {
    guard let text = value as? String, !text.isEmpty else {
      throw ControlFault(.invalid, "`\(place)` must be text that is not empty")
    }
    return text
  }

  private static func headers(_ value: Any) throws(ControlFault) -> [String: String?] {
    guard let members = value as? [String: Any] else {
      throw ControlFault(.invalid, "`headers` must be an object with text or null for each name")
    }
    var headers: [String: String?] = [:]
    for (name, value) in members {
      if value is NSNull {
        headers[name.lowercased()] = .some(nil)
      } else if let text = value as? String {
        headers[name.lowercased()] = text
      } else {
        throw ControlFault(.invalid, "`headers.\(name.prefix(64))` must be text, or null to leave the field out")
      }
    }
    return headers
  }

  private static func body(_ value: Any) throws(ControlFault) -> [UInt8] {
    if let members = value as? [String: String], members.count == 1 {
      if let text = members["text"] { return Array(text.utf8) }
      if let data = members["base64"].flatMap({ Data(base64Encoded: $0) }) { return Array(data) }
    }
    throw ControlFault(.invalid, "`body` must be {\"text\": …} or {\"base64\": …}")
  }
}

extension ReplayChanges {
  /// The request to send. Rejected when not enough of the recorded one was kept.
  func applied(to exchange: StoredExchange) throws(ControlFault) -> ReplayRequest {
    let record = JSONObjectText(exchange.record)
    guard let kept = exchange.request else {
      throw ControlFault(.rejected, "nothing was kept of this request (bodies.capture), so it cannot be repeated")
    }
    if body == nil, kept.isTruncated {
      throw ControlFault(
        .rejected,
        "only the beginning of this request's body was kept (bodies.capture); give `body`, or capture more and record it anew"
      )
    }
    guard let method = method ?? record.text("method"), let url = url ?? record.text("url"),
      let lane = record.text("lane")
    else { throw ControlFault(.rejected, "the record of this exchange says too little to repeat it") }
    return ReplayRequest(
      method: method, url: url, fields: changed(kept.fields), body: body ?? kept.body, lane: lane,
      client: record.text("client"))
  }

  private func changed(_ fields: [CapturedMessage.Field]) -> [CapturedMessage.Field] {
    fields.filter { !headers.keys.contains($0.name.lowercased()) }
      + headers.sorted { $0.key < $1.key }.compactMap { name, value in
        value.map { CapturedMessage.Field(name: name, value: $0) }
      }
  }
}
