import Policy

/// Everything that is told of one request when it ends, however it ends (contract, section 5).
///
/// A plain value, made once at the end of an exchange by the loop that ran it.
public struct ExchangeRecord: Sendable {
  /// The client side of the exchange.
  public struct Request: Sendable {
    public var byteCount = 0
    /// `none`, `length`, `chunked`, `h2`.
    public var framing: StaticString = "none"
    /// SHA-256 of the body as received and as sent; nil with receipts off or without a body.
    public var sha256: [UInt8]?
    public var sentSha256: [UInt8]?
    /// POST, PUT or PATCH with a Content-Type and `Content-Length: 0`: something before the proxy took the body.
    public var isSuspectedStripped = false
    /// How many bytes were sent in place of the body that the device lost; nil: what was received was sent.
    public var restoredByteCount: Int?
    /// Trailers followed the body.
    public var hasTrailers = false

    public init() {}
  }

  public struct Response: Sendable {
    public var byteCount = 0
    /// `none`, `length`, `chunked`, `close`, `h2`.
    public var framing: StaticString = "none"
    /// It came from the cache of pictures, without the origin or with its mere consent.
    public var isFromCache = false
    /// Trailers followed the body.
    public var hasTrailers = false

    public init() {}
  }

  /// The connection to the origin that served it.
  public struct Origin: Sendable {
    /// `ip:port`.
    public var address: String
    /// The proxy on the way, whose address that is then; nil: none.
    public var proxy: String?
    public var isReused: Bool
    public var tls: TLS?
    public var pins: [String]
    public var matchedPin: String?
    public var identity: String?
    /// What it asked of a client certificate; nil: it did not ask.
    public var clientCertificate: ClientCertificateFacts?
    /// What Certificate Transparency says; nil: no policy asks for it.
    public var transparency: TransparencyVerdict?

    public init(
      address: String, proxy: String? = nil, isReused: Bool, tls: TLS?, pins: [String], matchedPin: String?,
      identity: String?
    ) {
      self.address = address
      self.proxy = proxy
      self.isReused = isReused
      self.tls = tls
      self.pins = pins
      self.matchedPin = matchedPin
      self.identity = identity
    }
  }

  public struct TLS: Sendable {
    public var version: String
    public var cipher: String
    public var alpn: String?
    public var isResumed: Bool

    public init(version: String, cipher: String, alpn: String?, isResumed: Bool) {
      self.version = version
      self.cipher = cipher
      self.alpn = alpn
      self.isResumed = isResumed
    }
  }

  /// Nanoseconds; nil where the phase did not happen (no dial on a reused connection).
  public struct Timing: Sendable {
    public var queued: UInt64?
    public var dns: UInt64?
    public var connect: UInt64?
    public var tls: UInt64?
    public var firstByte: UInt64?
    public var total: UInt64 = 0

    public init() {}
  }

  /// Milliseconds since 1970.
  public var started: Int64
  public var ended: Int64
  public var identifier: UInt64
  public var lane: String
  public var client: String
  public var context: Context
  /// `http/1.1`, `http/1.0`, `h2`: what the client spoke.
  public var clientProtocol: StaticString
  /// The client's HTTP/2 stream; nil over HTTP/1.
  public var stream: Int32?
  /// What the client's handshake with us agreed on; nil: it speaks plain text.
  public var clientTLS: TLS?
  public var method: String
  public var url: RecordURL
  /// The status that the client got; nil: none.
  public var status: Int?
  public var action: Action
  public var decidedBy: DecisionStep?
  public var rule: String?
  public var ats: ATSVerdict
  public var os: String
  public var origin: Origin?
  public var request = Request()
  public var response = Response()
  public var timing = Timing()
  public var failure: Failure?

  /// What went wrong, in the words of an app (`NSURLError`) and of RFC 9209.
  public struct Failure: Sendable {
    public var error: NSURLError?
    public var proxyStatus: ProxyErrorType
    public var detail: String

    public init(error: NSURLError?, proxyStatus: ProxyErrorType, detail: String) {
      self.error = error
      self.proxyStatus = proxyStatus
      self.detail = detail
    }
  }

  public init(
    started: Int64, ended: Int64, identifier: UInt64, lane: String, client: String, context: Context,
    clientProtocol: StaticString, method: String, url: RecordURL, status: Int?, action: Action,
    decidedBy: DecisionStep?, rule: String?, ats: ATSVerdict, os: String
  ) {
    self.started = started
    self.ended = ended
    self.identifier = identifier
    self.lane = lane
    self.client = client
    self.context = context
    self.clientProtocol = clientProtocol
    self.method = method
    self.url = url
    self.status = status
    self.action = action
    self.decidedBy = decidedBy
    self.rule = rule
    self.ats = ats
    self.os = os
  }
}

extension ExchangeRecord {
  /// The opaque identifier as it is shown: 16 hexadecimal digits.
  public var identifierText: String {
    let text = String(identifier, radix: 16)
    return String(repeating: "0", count: 16 - text.count) + text
  }
}
