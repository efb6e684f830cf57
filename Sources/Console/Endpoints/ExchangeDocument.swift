import Bytes
import Foundation
import Records

/// One exchange as the console shows it: the members of its record, with `headers` and `body` in `request` and `response` where
/// something of them was kept.
struct ExchangeDocument {
  let bytes: [UInt8]

  init(_ exchange: StoredExchange) {
    var document = JSONObjectText(exchange.record)
    if let request = exchange.request { document = document.adding(Self.members(of: request), to: "request") }
    if let response = exchange.response { document = document.adding(Self.members(of: response), to: "response") }
    bytes = document.bytes
  }

  /// `"headers":[{name, value}],"body":{text|base64, truncated}`.
  private static func members(of message: CapturedMessage) -> [UInt8] {
    let out = ByteQueue()
    var json = JSONText(into: out)
    json.beginArray("headers")
    for field in message.fields {
      json.beginObject()
      json.string("name", field.name)
      json.string("value", field.value)
      json.endObject()
    }
    json.endArray()
    json.beginObject("body")
    if let text = text(of: message) {
      json.string("text", text)
    } else {
      json.string("base64", Data(message.body).base64EncodedString())
    }
    json.boolean("truncated", message.isTruncated)
    json.endObject()
    return Array(out.bytes)
  }

  /// nil: the body is no text as it is.
  private static func text(of message: CapturedMessage) -> String? {
    if let text = String(validating: message.body, as: UTF8.self) { return text.contains("\0") ? nil : text }
    guard message.isTruncated else { return nil }
    // The cut may have gone through a character, which has four bytes at most.
    return (1...3).lazy.compactMap { String(validating: message.body.dropLast($0), as: UTF8.self) }.first
  }
}
