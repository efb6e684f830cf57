/// The first part of a response: status, reason, version and fields.
public struct ResponseHead: Sendable, Equatable {
  /// 100 to 999.
  public var status: Int
  /// The reason phrase as it stands on the wire; may be empty.
  public var reason: ArraySlice<UInt8>
  public var version: HTTPVersion
  public var fields: HeaderList

  public init(status: Int, reason: ArraySlice<UInt8>, version: HTTPVersion = .http11, fields: HeaderList) {
    self.status = status
    self.reason = reason
    self.version = version
    self.fields = fields
  }

  /// A head with the usual reason phrase.
  public init(status: Int, fields: HeaderList) {
    self.init(status: status, reason: Array(Self.reason(of: status).utf8)[...], fields: fields)
  }

  /// An interim response, after which the final one follows.
  public var isInformational: Bool {
    status < 200 && status != 101
  }

  /// Whether what follows the head is no longer HTTP (RFC 9110 15.2.2).
  public var isUpgrade: Bool {
    status == 101
  }

  /// Whether the connection that it came on may carry another exchange (RFC 9112 9.3).
  public func persists(framing: BodyFraming) -> Bool {
    guard framing != .untilClose, !isUpgrade, !fields.containsMember(.connection, "close") else { return false }
    return version == .http11 || fields.containsMember(.connection, "keep-alive")
  }

  /// The reason phrase of RFC 9110 (and of those that registered other codes); empty for an unknown status.
  public static func reason(of status: Int) -> String {
    switch status {
    case 100: "Continue"
    case 101: "Switching Protocols"
    case 103: "Early Hints"
    case 200: "OK"
    case 201: "Created"
    case 202: "Accepted"
    case 203: "Non-Authoritative Information"
    case 204: "No Content"
    case 205: "Reset Content"
    case 206: "Partial Content"
    case 207: "Multi-Status"
    case 300: "Multiple Choices"
    case 301: "Moved Permanently"
    case 302: "Found"
    case 303: "See Other"
    case 304: "Not Modified"
    case 307: "Temporary Redirect"
    case 308: "Permanent Redirect"
    default: errorReason(of: status)
    }
  }

  private static func errorReason(of status: Int) -> String {
    switch status {
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 406: "Not Acceptable"
    case 407: "Proxy Authentication Required"
    case 408: "Request Timeout"
    case 409: "Conflict"
    case 410: "Gone"
    case 411: "Length Required"
    case 412: "Precondition Failed"
    case 413: "Content Too Large"
    case 414: "URI Too Long"
    case 415: "Unsupported Media Type"
    case 416: "Range Not Satisfiable"
    case 417: "Expectation Failed"
    case 421: "Misdirected Request"
    case 422: "Unprocessable Content"
    case 425: "Too Early"
    case 426: "Upgrade Required"
    case 428: "Precondition Required"
    case 429: "Too Many Requests"
    case 431: "Request Header Fields Too Large"
    case 451: "Unavailable For Legal Reasons"
    case 500: "Internal Server Error"
    case 501: "Not Implemented"
    case 502: "Bad Gateway"
    case 503: "Service Unavailable"
    case 504: "Gateway Timeout"
    case 505: "HTTP Version Not Supported"
    case 508: "Loop Detected"
    case 511: "Network Authentication Required"
    default: ""
    }
  }
}
