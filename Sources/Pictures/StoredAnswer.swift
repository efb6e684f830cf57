import HTTP

/// A stored picture as it answers one request: 200, a part of it, or that the client has it already.
public struct StoredAnswer: Sendable {
  public let picture: StoredPicture
  public let head: ResponseHead
  /// Which bytes of the body follow; of a HEAD, what they would be.
  public let range: Range<Int>
  /// Whether the status is one that has a body.
  public let hasBody: Bool

  /// - Parameter now: milliseconds since 1970.
  public init(_ picture: StoredPicture, to question: PictureQuestion, now: Int64) {
    self.picture = picture
    let whole = 0..<picture.body.count
    var fields = picture.fields
    fields.replace(.age, with: "\(picture.age(at: now))")
    guard picture.status == 200 else {
      head = ResponseHead(status: picture.status, reason: picture.reason[...], fields: fields)
      range = whole
      hasBody = picture.status != 204
      return
    }
    if Precondition.isNotModified(question.fields, picture) {
      head = ResponseHead(status: 304, fields: Self.fieldsOfNotModified(fields))
      range = 0..<0
      hasBody = false
      return
    }
    hasBody = true
    switch question.method == .get && Precondition.rangeCounts(question.fields, picture)
      ? ByteRange(question.fields, byteCount: whole.count) : .whole
    {
    case .whole:
      head = ResponseHead(status: 200, reason: picture.reason[...], fields: fields)
      range = whole
    case .part(let part):
      fields.append(.contentRange, "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(whole.count)")
      head = ResponseHead(status: 206, fields: fields)
      range = part
    case .unsatisfiable:
      var own = HeaderList()
      own.append(.contentRange, "bytes */\(whole.count)")
      head = ResponseHead(status: 416, fields: own)
      range = 0..<0
    }
  }

  /// What a 304 must say (RFC 9110, section 15.4.5), and no more.
  private static func fieldsOfNotModified(_ fields: HeaderList) -> HeaderList {
    var kept = HeaderList()
    for index in 0..<fields.count {
      switch fields[index].token {
      case .cacheControl, .contentLocation, .date, .etag, .expires, .vary, .age, .lastModified, .via, .setCookie:
        kept.append(fields[index])
      default:
        // Which fields matter to a cache behind us is not known; those that describe content do not.
        if fields[index].token == .other { kept.append(fields[index]) }
      }
    }
    return kept
  }
}
