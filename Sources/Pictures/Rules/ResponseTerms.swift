import HTTP

/// What a response says of its being kept and reused (RFC 9111, sections 3, 4.2 and 5), read once. Times are in seconds.
public struct ResponseTerms: Sendable {
  let status: Int
  let isNoStore: Bool
  /// Only for one user. With field names too: nothing is gained by keeping the rest of a picture.
  let isPrivate: Bool
  let isPublic: Bool
  /// May be reused only when the origin has confirmed it, whatever its age is.
  let isNoCache: Bool
  /// Once stale it must not be used without the origin's word, not even when that cannot be reached.
  let forbidsStale: Bool
  let mustUnderstand: Bool
  let permitsAuthorized: Bool
  let sharedMaximumAge: Int?
  let maximumAge: Int?
  let staleIfError: Int?
  let staleWhileRevalidate: Int?
  let expires: Expiry?
  /// nil: none, or one that is no date.
  let date: HTTPDate?
  let lastModified: HTTPDate?
  /// From the Age field.
  let age: Int
  let setsCookies: Bool

  enum Expiry: Sendable, Equatable {
    case at(Int)
    /// Whatever is no date means that it is stale already (RFC 9111, section 5.3).
    case past
  }

  public init(_ head: ResponseHead) {
    self.init(status: head.status, head.fields)
  }

  init(status: Int, _ fields: HeaderList) {
    self.status = status
    let directives = CacheDirectives(fields)
    isNoStore = directives.contains("no-store")
    isPrivate = directives.contains("private")
    isPublic = directives.contains("public")
    isNoCache = directives.contains("no-cache")
    sharedMaximumAge = directives.seconds("s-maxage")
    forbidsStale =
      directives.contains("must-revalidate") || directives.contains("proxy-revalidate") || sharedMaximumAge != nil
    mustUnderstand = directives.contains("must-understand")
    permitsAuthorized = directives.contains("must-revalidate") || isPublic || sharedMaximumAge != nil
    maximumAge = directives.seconds("max-age")
    staleIfError = directives.seconds("stale-if-error")
    staleWhileRevalidate = directives.seconds("stale-while-revalidate")
    expires = fields.first(.expires).map { text in HTTPDate(text).map { .at($0.seconds) } ?? .past }
    date = fields.first(.date).flatMap(HTTPDate.init)
    lastModified = fields.first(.lastModified).flatMap(HTTPDate.init)
    age = Self.age(fields)
    setsCookies = fields.contains(.setCookie)
  }

  /// The first of several counts; what is no number is ignored (RFC 9111, section 5.1).
  private static func age(_ fields: HeaderList) -> Int {
    guard let text = fields.first(.age), let first = ListMembers(text).first(where: { _ in true }) else { return 0 }
    return DeltaSeconds(first)?.value ?? 0
  }

  // MARK: storing

  /// Statuses that may be kept without being told how long (RFC 9110, section 15.1).
  private static let heuristic: Set<Int> = [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501]
  /// Statuses whose meaning for caches is known here (RFC 9110, section 15), for `must-understand`.
  private static let understood: Set<Int> = heuristic.union([302, 303, 307, 400, 401, 403, 500, 502, 503, 504])

  var hasExplicitTime: Bool { sharedMaximumAge != nil || maximumAge != nil || expires != nil }

  private var mayBeGuessed: Bool { Self.heuristic.contains(status) || isPublic }

  /// Whether a shared cache may keep the response (RFC 9111, section 3).
  func isStorable(for request: RequestTerms) -> Bool {
    guard status >= 200, status != 206, status != 304, !request.isNoStore, !isPrivate else { return false }
    if mustUnderstand {
      guard Self.understood.contains(status) else { return false }
    } else if isNoStore {
      return false
    }
    if request.isAuthorized, !permitsAuthorized { return false }
    // A cookie is for one user, unless the origin says that it is for all.
    if setsCookies, !isPublic, sharedMaximumAge == nil { return false }
    return hasExplicitTime || mayBeGuessed
  }

  // MARK: freshness

  /// How long it is fresh from its origin on (RFC 9111, section 4.2.1).
  /// - Parameters:
  ///   - received: when it came, for a response without Date.
  ///   - longestGuess: what no guess is longer than.
  func freshnessLifetime(received: Int, longestGuess: Int) -> Int {
    if let sharedMaximumAge { return sharedMaximumAge }
    if let maximumAge { return maximumAge }
    let date = date?.seconds ?? received
    switch expires {
    case .at(let moment): return max(0, moment - date)
    case .past: return 0
    case nil: break
    }
    guard mayBeGuessed, let lastModified else { return 0 }
    return min(max(0, date - lastModified.seconds) / 10, longestGuess)
  }

  /// How old it is at `now` (RFC 9111, section 4.2.3); all three in seconds since 1970.
  func currentAge(requested: Int, received: Int, now: Int) -> Int {
    let apparent = max(0, received - (date?.seconds ?? received))
    let corrected = age + max(0, received - requested)
    return min(max(apparent, corrected) + max(0, now - received), DeltaSeconds.limit)
  }
}
