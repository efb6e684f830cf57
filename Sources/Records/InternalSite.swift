/// An answer of the site that devices reach through the proxy as `pinwarden.internal`.
public struct InternalAnswer: Sendable {
  public var status: Int
  public var contentType: String
  /// Offered as a download under this name; nil: shown.
  public var fileName: String?
  public var body: [UInt8]

  public init(status: Int, contentType: String, fileName: String? = nil, body: [UInt8]) {
    self.status = status
    self.contentType = contentType
    self.fileName = fileName
    self.body = body
  }
}

/// How the data path sees the site behind `pinwarden.internal`. Implementations answer from memory and at once, since they are
/// called on a loop.
public protocol InternalSite: Sendable {
  /// - Parameters:
  ///   - path: as sent, with its query.
  ///   - proxy: `host:port` of the listener that the device uses, for `proxy.pac`; a URL where that is spoken to in TLS or SOCKS.
  func answer(path: String, proxy: String) -> InternalAnswer
}
