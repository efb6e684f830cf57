import HTTP

/// What a request says of answers from a cache (RFC 9111, section 5.2.1), read once. Times are in seconds.
public struct RequestTerms: Sendable {
  enum Staleness: Sendable, Equatable {
    case any
    case upTo(Int)
  }

  let isNoStore: Bool
  let isNoCache: Bool
  let maximumAge: Int?
  let minimumFresh: Int?
  let maximumStale: Staleness?
  let staleIfError: Int?
  public let isOnlyIfCached: Bool
  let isAuthorized: Bool

  public init(_ fields: HeaderList) {
    let directives = CacheDirectives(fields)
    isNoStore = directives.contains("no-store")
    isNoCache = directives.contains("no-cache")
    maximumAge = directives.seconds("max-age")
    minimumFresh = directives.seconds("min-fresh")
    staleIfError = directives.seconds("stale-if-error")
    isOnlyIfCached = directives.contains("only-if-cached")
    isAuthorized = fields.contains(.authorization)
    maximumStale = directives.arguments["max-stale"].map { values in
      values.contains { $0 == nil } ? .any : .upTo(directives.seconds("max-stale") ?? 0)
    }
  }
}
