import HTTP

/// A request as the cache sees it.
public struct PictureQuestion: Sendable {
  public let place: PicturePlace
  public let method: HTTPMethod
  public let fields: HeaderList
  public let terms: RequestTerms

  public init(place: PicturePlace, method: HTTPMethod, fields: HeaderList) {
    self.place = place
    self.method = method
    self.fields = fields
    terms = RequestTerms(fields)
  }

  /// Whether the answer is the whole picture, whatever the client has of it already.
  public var isPlain: Bool {
    method == .get && !fields.contains(.range) && !fields.contains(.ifNoneMatch) && !fields.contains(.ifModifiedSince)
  }

  /// Whether the cache can answer at all: conditions that only an origin can judge go there (RFC 9111, section 4.3.2).
  public var isAnswerable: Bool { !fields.contains(.ifMatch) && !fields.contains(.ifUnmodifiedSince) }

  /// Whether a whole answer to it may be kept, and others may wait for it.
  public var mayFill: Bool { method == .get && !fields.contains(.range) && isAnswerable && !terms.isNoStore }

  /// Whether it may wait for a fetch that began before it came.
  public var mayFollow: Bool { !terms.isNoCache && terms.maximumAge != 0 && !terms.isNoStore }

  /// What a response would be kept under; nil: it must not be kept.
  func variant(of head: ResponseHead, _ freshness: Freshness) -> Variant? {
    let response = ResponseTerms(head)
    switch freshness {
    case .rfc9111:
      guard response.isStorable(for: terms) else { return nil }
    case .access:
      guard head.status == 200, !response.isNoStore, !response.isPrivate, !response.setsCookies, !terms.isNoStore,
        !terms.isAuthorized
      else { return nil }
    }
    return Variant(response: head.fields, request: fields)
  }

  /// The request by which a stale picture is validated: with its validators (RFC 9111, section 4.3.1). A tag of the client's own is kept
  /// beside it.
  public func validating(_ stored: StoredPicture, _ head: RequestHead) -> RequestHead {
    var head = head
    if let tag = stored.fields.first(.etag) {
      let others = fields.values(.ifNoneMatch).flatMap { Array(ListMembers($0)) }.filter { $0 != tag }
      head.fields.replace(.ifNoneMatch, with: ([tag] + others).joined(separator: ", "))
    }
    if let modified = stored.fields.first(.lastModified) {
      head.fields.replace(.ifModifiedSince, with: modified)
    }
    return head
  }

  /// Whether a 304 means the stored picture, and not something that only the client has.
  public func isAbout(_ stored: StoredPicture, _ answer: ResponseHead) -> Bool {
    guard let tag = answer.fields.first(.etag) else {
      return !fields.contains(.ifNoneMatch)
        || stored.fields.first(.etag).map { mine in
          fields.values(.ifNoneMatch).flatMap { Array(ListMembers($0)) }.allSatisfy { $0 == mine }
        } ?? false
    }
    guard let mine = stored.fields.first(.etag) else { return !fields.contains(.ifNoneMatch) }
    return Precondition.opaque(tag) == Precondition.opaque(mine)
  }
}

extension StoredPicture {
  /// Whether the origin can be asked if it still holds.
  public var canBeValidated: Bool { fields.contains(.etag) || fields.contains(.lastModified) }
}
