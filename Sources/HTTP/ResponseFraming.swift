/// The rules by which the end of a response is found (RFC 9112 6.3).
enum ResponseFraming {
  /// How the body is framed. Removes from `fields` what must not be passed on: a Content-Length beside a Transfer-Encoding, and the
  /// repetitions of an equal Content-Length.
  static func settle(
    _ fields: inout HeaderList, status: Int, version: HTTPVersion, method: HTTPMethod
  ) throws(HTTPFault) -> BodyFraming {
    let isChunked = fields.contains(.transferEncoding)
    if isChunked { fields.remove(.contentLength) }
    let length = try contentLength(&fields)
    if method == .head || status < 200 || status == 204 || status == 304 { return .none }
    if method == .connect, status < 300 { return .none }
    if isChunked {
      try checkCoding(fields, version: version)
      return .chunked
    }
    return length.map { .length($0) } ?? .untilClose
  }

  /// RFC 9112 lets a response with another coding run to the end of the connection; but that coding was never asked for and
  /// could not be passed on.
  private static func checkCoding(_ fields: HeaderList, version: HTTPVersion) throws(HTTPFault) {
    guard version == .http11 else { throw .malformed("An HTTP/1.0 response cannot have a Transfer-Encoding.") }
    guard fields.entries.count(where: { $0.token == .transferEncoding }) == 1,
      let value = fields.entries.first(where: { $0.token == .transferEncoding })?.value
    else { throw .malformed("The response has several Transfer-Encoding fields.") }
    try RequestFraming.checkCoding(fields.storage.span.bytes, value)
  }

  /// The one length that all members of all Content-Length fields give.
  private static func contentLength(_ fields: inout HeaderList) throws(HTTPFault) -> UInt64? {
    guard fields.contains(.contentLength) else { return nil }
    var members: [Range<Int>] = []
    fields.forEachMember(.contentLength) { members.append($1) }
    var length: UInt64?
    for member in members {
      let value = try RequestFraming.contentLength(fields.storage.span.bytes, member)
      guard length == nil || length == value else {
        throw .malformed("The response has Content-Length fields that differ.")
      }
      length = value
    }
    if members.count > 1, let length { fields.replace(.contentLength, with: String(length)) }
    return length
  }
}
