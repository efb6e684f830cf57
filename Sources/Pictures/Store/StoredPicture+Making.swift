import HTTP

extension StoredPicture {
  /// The response as it answers those who asked for it; nil: it must not be reused at all.
  convenience init?(
    _ question: PictureQuestion, head: ResponseHead, body: [UInt8], requested: Int64, received: Int64,
    _ freshness: Freshness
  ) {
    guard let variant = question.variant(of: head, freshness) else { return nil }
    self.init(
      place: question.place, status: head.status, reason: Array(head.reason), fields: Self.kept(head.fields),
      body: body, variant: variant, requested: requested, received: received, used: received)
  }

  /// The same with its body.
  func with(body: [UInt8]) -> StoredPicture {
    StoredPicture(
      place: place, status: status, reason: reason, fields: fields, body: body, variant: variant, requested: requested,
      received: received, used: lastUse)
  }

  /// The same with what a 304 says about it (RFC 9111, section 3.2).
  func refreshed(by head: ResponseHead, requested: Int64, received: Int64) -> StoredPicture {
    var fields = HeaderList()
    let news = Self.kept(head.fields)
    let names = Set((0..<news.count).map { String(decoding: news[$0].name, as: UTF8.self).lowercased() })
    for index in 0..<self.fields.count {
      let field = self.fields[index]
      let name = String(decoding: field.name, as: UTF8.self).lowercased()
      if Self.staysWithBody(field.token) || (!names.contains(name) && field.token != .age) { fields.append(field) }
    }
    for index in 0..<news.count where !Self.staysWithBody(news[index].token) { fields.append(news[index]) }
    return StoredPicture(
      place: place, status: status, reason: reason, fields: fields, body: body, variant: variant,
      requested: requested, received: received, used: received)
  }

  /// Fields that describe the bytes that are kept, and so are not changed without them.
  private static func staysWithBody(_ token: FieldName) -> Bool {
    switch token {
    case .contentLength, .contentEncoding, .contentRange, .contentType: true
    default: false
    }
  }

  /// Fields that do not end at this hop (RFC 9111, section 3.1). The length is that of the body.
  private static func kept(_ fields: HeaderList) -> HeaderList {
    let nominated = Set(fields.values(.connection).flatMap { Array(ListMembers($0)) }.map { $0.lowercased() })
    var kept = HeaderList()
    for index in 0..<fields.count {
      let field = fields[index]
      switch field.token {
      case .connection, .keepAlive, .proxyConnection, .proxyAuthenticate, .proxyAuthenticationInfo,
        .proxyAuthorization, .te, .trailer, .transferEncoding, .upgrade, .contentLength:
        continue
      default:
        if nominated.isEmpty || !nominated.contains(String(decoding: field.name, as: UTF8.self).lowercased()) {
          kept.append(field)
        }
      }
    }
    return kept
  }
}

extension HeaderList {
  mutating func append(_ field: Field) {
    field.name.withUnsafeBytes { name in
      field.value.withUnsafeBytes { value in _ = append(name: name, value: value) }
    }
  }
}
