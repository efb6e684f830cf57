import Bytes
import HTTP
import TLS

/// How a client asked for a WebSocket, and how that is said where the other leg opens it in another way.
enum WebSocketOpening {
  /// `GET` with `Upgrade` over HTTP/1.1 (RFC 6455, section 4.1).
  case upgrade
  /// The extended CONNECT of HTTP/2 (RFC 8441), with the key that an HTTP/1.1 origin is asked with in its place.
  case extendedConnect(key: String)

  /// An extended CONNECT with a key of its own.
  static func makeExtendedConnect() -> WebSocketOpening {
    .extendedConnect(key: Base64.encode(RandomBytes.make(16)))
  }

  /// The handshake of HTTP/1.1 in place of an extended CONNECT.
  static func upgradeRequest(for request: RequestHead, key: String) -> RequestHead {
    var head = request
    head.fields.remove(.secWebSocketKey)
    head.fields.append(.connection, "Upgrade")
    head.fields.append(.upgrade, "websocket")
    if !head.fields.contains(.secWebSocketVersion) { head.fields.append(.secWebSocketVersion, "13") }
    head.fields.append(.secWebSocketKey, key)
    return head
  }

  /// Why the answer of an HTTP/1.1 origin opens no WebSocket and refuses none either; a clause, nil if all is well.
  func objection(to head: ResponseHead) -> String? {
    guard case .extendedConnect(let key) = self else { return nil }
    if head.isUpgrade {
      let isRight =
        head.fields.containsMember(.upgrade, "websocket")
        && head.fields.first(.secWebSocketAccept) == Self.acceptance(of: key)
      return isRight ? nil : "its 101 does not belong to the WebSocket that was asked for"
    }
    // To an HTTP/2 client it would mean that the WebSocket is open.
    return (200..<300).contains(head.status) ? "it answered the opening of a WebSocket with \(head.status)" : nil
  }

  /// The head that tells the client that the WebSocket is open.
  /// - Parameter request: the client's.
  func success(_ head: ResponseHead, to request: RequestHead) -> ResponseHead {
    switch self {
    case .extendedConnect:
      return head.isUpgrade ? ResponseHead(status: 200, fields: head.fields) : head
    case .upgrade:
      var fields = head.fields
      fields.remove(.contentLength)
      fields.remove(.secWebSocketAccept)
      fields.append(.upgrade, "websocket")
      fields.append(.secWebSocketAccept, Self.acceptance(of: request.fields.first(.secWebSocketKey) ?? ""))
      return ResponseHead(status: 101, fields: fields)
    }
  }

  /// `Sec-WebSocket-Accept` for a key (RFC 6455, section 4.2.2).
  static func acceptance(of key: String) -> String {
    Base64.encode(Digest.sha1(Array("\(key)258EAFA5-E914-47DA-95CA-C5AB0DC85B11".utf8)))
  }
}
