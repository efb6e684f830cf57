import Bytes
import HTTP
import Records

/// The client's side of one exchange, in the protocol that the client speaks.
///
/// An enumeration over the two codecs: there are no others, and every call is a direct one.
enum ClientStream {
  case http1(HTTP1ClientStream)
  case http2(HTTP2ClientStream)
  /// Nobody; what is written goes nowhere.
  case absent(AbsentClient)

  var connection: ClientConnection {
    switch self {
    case .http1(let stream): stream.connection
    case .http2(let stream): stream.connection
    case .absent(let client): client.connection
    }
  }

  /// Who gets the answer, for records.
  var clientText: String {
    guard case .absent(let client) = self else { return connection.clientText }
    return client.name
  }

  /// The number of the HTTP/2 stream.
  var identifier: Int32? {
    guard case .http2(let stream) = self else { return nil }
    return stream.identifier
  }

  /// The protocol in which the client sent that request.
  func spoken(_ request: RequestHead) -> HTTPProtocol {
    switch self {
    case .http1: HTTPProtocol(request.version)
    case .http2: .http2
    case .absent: HTTPProtocol(request.version)
    }
  }

  /// Whether the client takes the answer more slowly than it comes.
  var isCongested: Bool {
    switch self {
    case .http1(let stream): stream.isCongested
    case .http2(let stream): stream.isCongested
    case .absent: false
    }
  }

  /// Whether the request has been read to its end.
  var hasReadRequest: Bool {
    switch self {
    case .http1(let stream): stream.hasReadRequest
    case .http2(let stream): stream.hasReadRequest
    case .absent: true
    }
  }

  /// Whether Host may stay as the client wrote it: the requests of a tunnel were held against their tunnel.
  var keepsHost: Bool {
    switch self {
    case .http1(let stream): if case .tunnel = stream.role { true } else { false }
    case .http2: true
    case .absent: false
    }
  }

  /// Starts the time that the next event of the exchange may take.
  func arm(_ purpose: ClientConnection.TimerPurpose) {
    switch self {
    case .http1(let stream): stream.connection.arm(purpose)
    case .http2(let stream): stream.arm(purpose)
    case .absent(let client): client.arm()
    }
  }

  func disarm() {
    switch self {
    case .http1(let stream): stream.connection.disarm()
    case .http2(let stream): stream.disarm()
    case .absent(let client): client.disarm()
    }
  }

  // MARK: the answer

  /// - Parameter via: the member that the head gets in `Via`, here and below.
  func writeInformational(_ head: ResponseHead, via: String) {
    switch self {
    case .http1(let stream): stream.writeInformational(head, via: via)
    case .http2(let stream): stream.writeInformational(head, via: via)
    case .absent: break
    }
  }

  func writeHead(_ head: ResponseHead, framing: BodyFraming, via: String, request: RequestHead) {
    switch self {
    case .http1(let stream): stream.writeHead(head, framing: framing, via: via, request: request)
    case .http2(let stream): stream.writeHead(head, framing: framing, via: via)
    case .absent: break
    }
  }

  /// The head of the answer says that a WebSocket is open: what follows on both sides are its bytes.
  func openTunnel(_ head: ResponseHead, via: String) {
    switch self {
    case .http1(let stream): stream.openTunnel(head, via: via)
    case .http2(let stream): stream.writeHead(head, framing: .untilClose, via: via)
    case .absent: break
    }
  }

  func writeBody(_ bytes: UnsafeRawBufferPointer) {
    switch self {
    case .http1(let stream): stream.writeBody(bytes)
    case .http2(let stream): stream.writeBody(bytes)
    case .absent: break
    }
  }

  func writeEnd(trailers: HeaderList?) {
    switch self {
    case .http1(let stream): stream.writeEnd(trailers: trailers)
    case .http2(let stream): stream.writeEnd(trailers: trailers)
    case .absent: break
    }
  }

  /// The place at which the next head will begin, for `fieldsWritten`.
  var outputMark: Int {
    switch self {
    case .http1(let stream): stream.outputMark
    case .http2: 0
    case .absent: 0
    }
  }

  /// The fields of the head that was written at `mark`, as the client gets them. In the same turn of the loop.
  func fieldsWritten(since mark: Int) -> CapturedFields {
    switch self {
    case .http1(let stream): stream.fieldsWritten(since: mark)
    case .http2(let stream): stream.fieldsWritten
    case .absent: CapturedFields()
    }
  }

  /// Writes an answer of our own, whole.
  func writeOwn(_ answer: OwnAnswer, request: RequestHead, closes: Bool) {
    switch self {
    case .http1(let stream): stream.writeOwn(answer, request: request, closes: closes)
    case .http2(let stream): stream.writeOwn(answer, request: request)
    case .absent: break
    }
  }

  // MARK: the end

  /// The answer is written.
  /// - Parameter keepsOpen: false: an HTTP/1 answer said that the connection closes.
  func exchangeEnded(keepsOpen: Bool) {
    switch self {
    case .http1(let stream): stream.exchangeEnded(keepsOpen: keepsOpen)
    case .http2(let stream): stream.exchangeEnded()
    case .absent(let client): client.exchangeEnded()
    }
  }

  /// The answer was cut; the client must see that.
  func exchangeCut(_ code: HTTP2ErrorCode) {
    switch self {
    case .http1(let stream): stream.exchangeCut()
    case .http2(let stream): stream.exchangeCut(code)
    case .absent(let client): client.exchangeEnded()
    }
  }

  /// The origin took what waited: the client may go on with its body.
  func originDrained() {
    switch self {
    case .http1(let stream): stream.originDrained()
    case .http2(let stream): stream.originDrained()
    case .absent: break
    }
  }
}
