/// The field names that the proxy itself looks at, as one-byte tokens; every other name is `other` and is compared by its bytes.
///
/// There are fewer than 64, so that a set of them fits into one word (`HeaderList.contains`).
public enum FieldName: UInt8, Sendable, CaseIterable {
  case other
  case accept
  case acceptEncoding
  case acceptLanguage
  case acceptRanges
  case age
  case allow
  case altSvc
  case authorization
  case cacheControl
  case connection
  case contentDisposition
  case contentEncoding
  case contentLanguage
  case contentLength
  case contentLocation
  case contentRange
  case contentSecurityPolicy
  case contentType
  case cookie
  case date
  case etag
  case expect
  case expires
  case forwarded
  case host
  case http2Settings
  case ifMatch
  case ifModifiedSince
  case ifNoneMatch
  case ifRange
  case ifUnmodifiedSince
  case keepAlive
  case lastModified
  case link
  case location
  case maxForwards
  case origin
  case pragma
  case proxyAuthenticate
  case proxyAuthenticationInfo
  case proxyAuthorization
  case proxyConnection
  case proxyStatus
  case range
  case referer
  case retryAfter
  case secWebSocketAccept
  case secWebSocketExtensions
  case secWebSocketKey
  case secWebSocketProtocol
  case secWebSocketVersion
  case server
  case setCookie
  case te
  case trailer
  case transferEncoding
  case upgrade
  case userAgent
  case vary
  case via
  case wwwAuthenticate
  case xForwardedFor

  /// The usual spelling; empty for `other`.
  public var spelling: StaticString {
    switch self {
    case .other: ""
    case .accept: "Accept"
    case .acceptEncoding: "Accept-Encoding"
    case .acceptLanguage: "Accept-Language"
    case .acceptRanges: "Accept-Ranges"
    case .age: "Age"
    case .allow: "Allow"
    case .altSvc: "Alt-Svc"
    case .authorization: "Authorization"
    case .cacheControl: "Cache-Control"
    case .connection: "Connection"
    case .contentDisposition: "Content-Disposition"
    case .contentEncoding: "Content-Encoding"
    case .contentLanguage: "Content-Language"
    case .contentLength: "Content-Length"
    case .contentLocation: "Content-Location"
    case .contentRange: "Content-Range"
    case .contentSecurityPolicy: "Content-Security-Policy"
    case .contentType: "Content-Type"
    case .cookie: "Cookie"
    case .date: "Date"
    case .etag: "ETag"
    case .expect: "Expect"
    case .expires: "Expires"
    case .forwarded: "Forwarded"
    case .host: "Host"
    case .http2Settings: "HTTP2-Settings"
    case .ifMatch: "If-Match"
    case .ifModifiedSince: "If-Modified-Since"
    case .ifNoneMatch: "If-None-Match"
    case .ifRange: "If-Range"
    case .ifUnmodifiedSince: "If-Unmodified-Since"
    case .keepAlive: "Keep-Alive"
    case .lastModified: "Last-Modified"
    case .link: "Link"
    case .location: "Location"
    case .maxForwards: "Max-Forwards"
    case .origin: "Origin"
    case .pragma: "Pragma"
    case .proxyAuthenticate: "Proxy-Authenticate"
    case .proxyAuthenticationInfo: "Proxy-Authentication-Info"
    case .proxyAuthorization: "Proxy-Authorization"
    case .proxyConnection: "Proxy-Connection"
    case .proxyStatus: "Proxy-Status"
    case .range: "Range"
    case .referer: "Referer"
    case .retryAfter: "Retry-After"
    case .secWebSocketAccept: "Sec-WebSocket-Accept"
    case .secWebSocketExtensions: "Sec-WebSocket-Extensions"
    case .secWebSocketKey: "Sec-WebSocket-Key"
    case .secWebSocketProtocol: "Sec-WebSocket-Protocol"
    case .secWebSocketVersion: "Sec-WebSocket-Version"
    case .server: "Server"
    case .setCookie: "Set-Cookie"
    case .te: "TE"
    case .trailer: "Trailer"
    case .transferEncoding: "Transfer-Encoding"
    case .upgrade: "Upgrade"
    case .userAgent: "User-Agent"
    case .vary: "Vary"
    case .via: "Via"
    case .wwwAuthenticate: "WWW-Authenticate"
    case .xForwardedFor: "X-Forwarded-For"
    }
  }

  /// This name's bit in a set of names.
  @inline(__always)
  var bit: UInt64 { 1 &<< UInt64(rawValue) }
}
