import Bytes

/// What becomes of the fields that ask for, or grant, a switch of protocols.
public enum UpgradeFields: Sendable {
  case removed
  /// `Upgrade` stays, with a `Connection: Upgrade` for this hop.
  case kept
}

/// Whether the client's connection goes on after a response.
public enum Persistence: Sendable {
  case persists
  /// `Connection: close` says so to the client.
  case closes
}

/// Writes messages that are passed on, or made by the proxy itself, as HTTP/1.1.
///
/// Fields that end at this hop are left out (RFC 9110 7.6.1): Connection and what it names, Keep-Alive, Proxy-Connection,
/// the Proxy-Auth family, HTTP2-Settings, TE but for `trailers`, Upgrade unless it is kept. Nothing else is touched, but for
/// blanks around values. The framing fields are written anew from the framing.
public enum HTTP1Encoder {
  /// Writes a request head for an origin.
  ///
  /// - Parameters:
  ///   - target: what to send in place of the head's own target, such as the path of an absolute one.
  ///   - host: the value of Host; nil keeps the client's. Must be given if the head has none, as an HTTP/1.0 client's may.
  ///   - framing: how the body will be written; `untilClose` is not possible here and is written as `chunked`.
  ///   - via: a whole member, such as `1.1 pinwarden-4f2a`, added as a field of its own behind all others.
  ///   - proxyAuthorization: the credentials for another proxy that gets this request, a whole value.
  ///   - dropping: names that are not passed on, whatever they mean. Host and framing fields cannot be dropped.
  /// - Returns: the framing that the body must be written in.
  @discardableResult
  public static func writeRequest(
    _ head: RequestHead, target: ArraySlice<UInt8>? = nil, host: String? = nil, framing: BodyFraming, via: String?,
    proxyAuthorization: String? = nil, dropping: FieldNameSet = FieldNameSet(), upgrade: UpgradeFields = .removed,
    into queue: ByteQueue
  ) -> BodyFraming {
    let framing = framing == .untilClose ? .chunked : framing
    let target = target ?? head.target
    let writer = FieldWriter(
      upgrade: upgrade, framing: framing, host: host, via: via, proxyAuthorization: proxyAuthorization,
      dropping: dropping, passesTE: true)
    let byteCount = head.method.byteCount + target.count + writer.byteCount(atMost: head.fields)
    HeadBlock.append(upTo: byteCount, to: queue) { block in
      if case .other(let method) = head.method { block.append(method) } else { block.append(head.method.spelling) }
      block.append(" ")
      target.withUnsafeBytes { block.append($0) }
      block.append(" HTTP/1.1\r\n")
      writer.write(head.fields, into: &block)
    }
    return framing
  }

  /// Writes a response head for a client: final or informational. An HTTP/1.0 client must not be sent informational ones.
  ///
  /// A 101 keeps its Upgrade field. `framing` is `none` for a response to HEAD, whose Content-Length is kept then, as a 304's is.
  ///
  /// - Returns: the framing that the body must be written in: a body that ran to the end of the origin's connection is chunked for
  ///   an HTTP/1.1 client, and an HTTP/1.0 client never gets chunks. After `untilClose` the connection must be closed.
  public static func writeResponse(
    _ head: ResponseHead, framing: BodyFraming, to client: HTTPVersion, via: String?, persistence: Persistence,
    into queue: ByteQueue
  ) -> BodyFraming {
    let framing = framingForClient(framing, client)
    let hasNoLength = head.status < 200 || head.status == 204
    let writer = FieldWriter(
      upgrade: head.isUpgrade ? .kept : .removed, framing: framing, keepsLength: !hasNoLength, via: via,
      closes: persistence == .closes && !head.isUpgrade)
    HeadBlock.append(upTo: head.reason.count + writer.byteCount(atMost: head.fields), to: queue) { block in
      block.append("HTTP/1.1 ")
      block.append(String(head.status))
      block.append(" ")
      head.reason.withUnsafeBytes { block.append($0) }
      block.append("\r\n")
      writer.write(head.fields, into: &block)
    }
    return framing
  }

  private static func framingForClient(_ framing: BodyFraming, _ client: HTTPVersion) -> BodyFraming {
    switch (framing, client) {
    case (.untilClose, .http11): .chunked
    case (.chunked, .http10): .untilClose
    default: framing
    }
  }
}
