import Records

/// A request that cannot be explained because it says nothing that could be decided.
struct ExplainFault: Error, Sendable, Equatable {
  /// As given; nil when there was none.
  let url: String?
  let message: String

  /// `{ url, error: {code, name, detail} }`: a code and a name belong to decisions, so they are null here.
  func write(to json: inout JSONText) {
    json.beginObject()
    json.optional("url", url)
    json.beginObject("error")
    json.null("code")
    json.null("name")
    json.string("detail", message)
    json.endObject()
    json.endObject()
  }

  var text: String { "\(PlainText.oneLine(url ?? "-"))\n  error: \(PlainText.oneLine(message))\n" }
}
