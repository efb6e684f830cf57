/// The first part of a request: method, target, version and fields.
public struct RequestHead: Sendable, Equatable {
  public var method: HTTPMethod
  /// The request target as it stands on the wire (`RequestTarget` says what it means).
  public var target: ArraySlice<UInt8>
  public var version: HTTPVersion
  public var fields: HeaderList

  public init(method: HTTPMethod, target: ArraySlice<UInt8>, version: HTTPVersion = .http11, fields: HeaderList) {
    self.method = method
    self.target = target
    self.version = version
    self.fields = fields
  }

  public init(method: HTTPMethod, target: String, version: HTTPVersion = .http11, fields: HeaderList) {
    self.init(method: method, target: Array(target.utf8)[...], version: version, fields: fields)
  }

  /// Whether the client's connection may carry another request (RFC 9112 9.3). A proxy does not keep a connection to an
  /// HTTP/1.0 client open, even if asked to.
  public var persists: Bool {
    version == .http11 && !fields.containsMember(.connection, "close")
  }

  /// Whether this is the opening handshake of a WebSocket (RFC 6455 4.1) on an HTTP/1.1 connection.
  public func asksForWebSocket(framing: BodyFraming) -> Bool {
    method == .get && version == .http11 && framing == .none && fields.containsMember(.connection, "upgrade")
      && fields.containsMember(.upgrade, "websocket")
  }
}
