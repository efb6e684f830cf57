/// Messages in HTTP/2's form. Fields that end at this hop are left out, those that HTTP/2 forbids with them (RFC 9113, section 8.2.2).
extension HTTP2FieldBlock {
  /// What the fields of a message are sent with.
  struct Passing {
    var framing: BodyFraming
    /// A content-length that says nothing about this message's own body: of a response to HEAD, or a 304.
    var keepsLength = false
    var via: String?
    var dropping = FieldNameSet()
    /// Whether the stream becomes a tunnel for a WebSocket, whose handshake needs no key (RFC 8441, section 5).
    var isTunnel = false
    /// Of requests only.
    var passesTE = false
  }

  mutating func append(_ fields: HeaderList, _ passing: Passing) {
    let nominated = FieldWriter.nominated(fields)
    var needsLength = true
    fields.forEach { token, name, value in
      switch token {
      case .connection, .keepAlive, .proxyConnection, .transferEncoding, .upgrade, .http2Settings, .host,
        .proxyAuthorization, .proxyAuthenticate, .proxyAuthenticationInfo, .te:
        break
      case .secWebSocketKey where passing.isTunnel, .secWebSocketAccept where passing.isTunnel: break
      case .contentLength:
        guard needsLength, passing.framing == .none, passing.keepsLength else { break }
        needsLength = false
        append(token, name, value)
      default:
        if passing.dropping.contains(token, name) || nominated?.contains(token, name) == true { break }
        append(token, name, value)
      }
    }
    if case .length(let count) = passing.framing { append("content-length", String(count)) }
    if passing.passesTE, fields.containsMember(.te, "trailers") { append("te", "trailers") }
    if let via = passing.via { append("via", via) }
  }

  /// The fields of a trailer section, less those that must not stand there (RFC 9110, section 6.5.1).
  init(trailers: HeaderList) {
    self.init()
    trailers.forEach { token, name, value in
      guard !HTTP1Encoder.isHeadOnly(token) else { return }
      append(token, name, value)
    }
  }
}
