import HTTP

/// A body that takes the place of one that was lost.
public struct RestoredBody: Sendable, Equatable {
  public let bytes: [UInt8]
  /// The request's Content-Type from now on; nil: it stays.
  public let contentType: String?

  /// - Parameters:
  ///   - head: of the request that lost it.
  ///   - origin: where it goes, such as `https://a.test`.
  ///   - limit: `bodies.hook.limit`.
  public init(_ envelope: Envelope, for head: RequestHead, to origin: String, limit: Int) throws(EnvelopeFault) {
    let given = head.fields.first(.contentType)
    guard let form = envelope.meta.form else {
      bytes = envelope.bytes
      contentType = given == nil ? envelope.meta.contentType.flatMap { Self.permitted($0, head, to: origin) } : nil
      return
    }
    let digits = envelope.meta.digest.prefix(8).reduce("") { $0 + String($1, radix: 16) }
    let boundary = given.flatMap(Self.boundary) ?? "----WebKitFormBoundary\(digits)"
    // Escapes make a form larger than its entries.
    let body = try FormBody(
      try FormEntry.list(envelope.bytes), form, boundary: boundary, limit: 4 * limit + 4096)
    bytes = body.bytes
    contentType = given == nil || !Self.means(body.contentType, given) ? body.contentType : nil
  }

  /// A page of another origin may name only what it could send without asking (Fetch, "CORS-safelisted request-header"): the channel
  /// must not become a way around preflights.
  private static func permitted(_ type: String, _ head: RequestHead, to origin: String) -> String? {
    guard let sender = head.fields.first(.origin), sender != origin else { return type }
    let kind = type.prefix { $0 != ";" }.lowercased().filter { $0 != " " }
    let isSimple = ["application/x-www-form-urlencoded", "multipart/form-data", "text/plain"].contains(kind)
    return isSimple && type.utf8.count <= 128 ? type : nil
  }

  /// Whether a Content-Type that the browser wrote fits the body.
  private static func means(_ written: String, _ given: String?) -> Bool {
    func kind(_ text: String) -> Substring { text.prefix { $0 != ";" } }
    return given.map { kind($0).lowercased() == kind(written).lowercased() } ?? false
  }

  /// The boundary of a multipart Content-Type, as browsers write it: a token, or in quotation marks.
  static func boundary(_ contentType: String) -> String? {
    guard contentType.lowercased().hasPrefix("multipart/form-data"),
      let equals = contentType.range(ofLowercased: "boundary=")
    else { return nil }
    let value = contentType[equals...].prefix { $0 != ";" }
    let bare = value.first == "\"" ? value.dropFirst().prefix { $0 != "\"" } : value
    let isSound = bare.utf8.count <= 200 && bare.utf8.allSatisfy { (0x21..<0x7F).contains($0) && $0 != 0x22 }
    return bare.isEmpty || !isSound ? nil : String(bare)
  }
}

extension String {
  /// Where what follows `text` begins, whatever the case of its letters.
  fileprivate func range(ofLowercased text: String) -> String.Index? {
    var start = startIndex
    while start < endIndex {
      if self[start...].lowercased().hasPrefix(text) { return index(start, offsetBy: text.count) }
      start = index(after: start)
    }
    return nil
  }
}
