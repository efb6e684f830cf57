import Policy
import Records

extension ImportDemand {
  /// `{ source, format, entry, count, enforce, expires }`; `expires` is a day in UTC or null.
  func write(to json: inout JSONText) {
    json.beginObject()
    json.string("source", source.file)
    json.string("format", source.format.rawValue)
    json.string("entry", entry)
    json.integer("count", pinCount)
    json.boolean("enforce", enforce)
    json.optional("expires", expiryDay)
    json.endObject()
  }

  /// One line for people.
  var line: String {
    var details = ["\(pinCount) \(pinCount == 1 ? "pin" : "pins") by \(entry)"]
    if !enforce { details.append("only reported") }
    if let expiryDay { details.append("until \(expiryDay)") }
    return PlainText.oneLine("import: \(source) (\(details.joined(separator: ", ")))")
  }
}
