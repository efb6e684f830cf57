import HTTP
import Policy
import Records

/// The origin's side of one exchange, in the protocol that the origin speaks.
enum OriginStream {
  case http1(OriginConnection)
  case http2(HTTP2OriginStream)

  /// Whether another exchange went over the connection before; only then may a failed one be repeated.
  var isReused: Bool {
    switch self {
    case .http1(let connection): connection.isReused
    case .http2(let stream): stream.isReused
    }
  }

  /// For counting.
  var use: LoopCounters.OriginUse {
    switch self {
    case .http1: .http1
    case .http2: .http2
    }
  }

  /// The origin takes bytes more slowly than they come.
  var isCongested: Bool {
    switch self {
    case .http1(let connection): connection.transport.isCongested
    case .http2(let stream): stream.isCongested
    }
  }

  var verdict: TrustVerdict? {
    switch self {
    case .http1(let connection): connection.verdict
    case .http2(let stream): stream.origin.judge.verdict
    }
  }

  var timing: DialTiming {
    switch self {
    case .http1(let connection): connection.timing
    case .http2(let stream): stream.origin.timing
    }
  }

  var facts: ExchangeRecord.Origin {
    switch self {
    case .http1(let connection): connection.facts
    case .http2(let stream): stream.facts
    }
  }

  /// Whether the request may be repeated from what is kept of it, even if no byte of it is known to be lost.
  var keepsBodies: Bool {
    switch self {
    case .http1(let connection): connection.isReused
    case .http2: true
    }
  }

  // MARK: the request

  func send(_ request: ForwardedRequest) {
    switch self {
    case .http1(let connection): connection.send(request)
    case .http2(let stream): stream.send(request)
    }
  }

  func sendBody(_ bytes: UnsafeRawBufferPointer, framing: BodyFraming) {
    switch self {
    case .http1(let connection): connection.sendBody(bytes, framing: framing)
    case .http2(let stream): stream.sendBody(bytes)
    }
  }

  func sendEnd(trailers: HeaderList?, framing: BodyFraming) {
    switch self {
    case .http1(let connection): connection.sendEnd(trailers: trailers, framing: framing)
    case .http2(let stream): stream.sendEnd(trailers: trailers)
    }
  }

  // MARK: the answer

  func lease(to exchange: Exchange, method: HTTPMethod) {
    switch self {
    case .http1(let connection): connection.lease(to: exchange, method: method)
    case .http2(let stream): stream.lease(to: exchange)
    }
  }

  /// The client takes bytes again.
  func resume() {
    switch self {
    case .http1(let connection): connection.resume()
    case .http2(let stream): stream.resume()
    }
  }

  /// The exchange is given up: nothing more is wanted of it.
  func abandon() {
    switch self {
    case .http1(let connection): connection.close()
    case .http2(let stream): stream.cancel()
    }
  }

  /// Not wanted after all: others may use the connection.
  func giveBack() {
    switch self {
    case .http1(let connection): connection.becomeIdle()
    case .http2: break
    }
  }
}

/// A request as it goes to the origin.
struct ForwardedRequest {
  let head: RequestHead
  let scheme: String
  /// `host[:port]`, for HTTP/2 and in place of the client's Host.
  let authority: String
  let path: ArraySlice<UInt8>
  /// nil: the client's Host stays as it is.
  let host: String?
  let framing: BodyFraming
  let via: String?
  let dropping: FieldNameSet
  let webSocket: WebSocketOpening?
}
