import HTTP

/// The conditions of a request against a stored response (RFC 9110, section 13; RFC 9111, section 4.3.2).
enum Precondition {
  /// Whether the client has that picture already: 304 answers it.
  static func isNotModified(_ request: HeaderList, _ stored: StoredPicture) -> Bool {
    if request.contains(.ifNoneMatch) {
      let tags = request.values(.ifNoneMatch).flatMap { Array(ListMembers($0)) }
      if tags.contains("*") { return true }
      guard let tag = stored.fields.first(.etag) else { return false }
      return tags.contains { opaque($0) == opaque(tag) }
    }
    guard let since = request.first(.ifModifiedSince).flatMap(HTTPDate.init) else { return false }
    guard let modified = stored.terms.lastModified ?? stored.terms.date else { return false }
    return modified.seconds <= since.seconds
  }

  /// Whether a Range field counts: If-Range names this very picture (RFC 9110, section 13.1.5).
  static func rangeCounts(_ request: HeaderList, _ stored: StoredPicture) -> Bool {
    guard let condition = request.first(.ifRange) else { return true }
    if condition.hasPrefix("\"") { return condition == stored.fields.first(.etag) }
    return condition == stored.fields.first(.lastModified) && HTTPDate(condition) != nil
  }

  /// For the weak comparison (RFC 9110, section 8.8.3.2).
  static func opaque(_ tag: String) -> Substring {
    tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...]
  }
}
