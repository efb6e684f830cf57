import Bytes
import HTTP

/// How the asker of a tunnel is answered: in HTTP, in SOCKS, or not at all (a transparent connection never asked).
enum ConnectReply {
  case http(HTTP1ClientStream, RequestHead)
  case socks
  case silent

  /// The tunnel stands.
  func succeed(_ transport: Transport) {
    switch self {
    case .http:
      transport.outgoing.append("HTTP/1.1 200 Connection established\r\n\r\n")
    case .socks:
      transport.outgoing.append(SOCKS5.reply(.succeeded))
    case .silent:
      return
    }
    transport.scheduleFlush()
  }
}
