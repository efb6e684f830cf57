/// Why a stream or a connection ended, as RST_STREAM and GOAWAY say it (RFC 9113, section 7).
public struct HTTP2ErrorCode: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
  public var rawValue: UInt32

  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  public static let noError = HTTP2ErrorCode(rawValue: 0)
  public static let protocolError = HTTP2ErrorCode(rawValue: 1)
  public static let internalError = HTTP2ErrorCode(rawValue: 2)
  public static let flowControlError = HTTP2ErrorCode(rawValue: 3)
  public static let settingsTimeout = HTTP2ErrorCode(rawValue: 4)
  public static let streamClosed = HTTP2ErrorCode(rawValue: 5)
  public static let frameSizeError = HTTP2ErrorCode(rawValue: 6)
  /// Nothing was done for the request: it may be sent again, whatever its method.
  public static let refusedStream = HTTP2ErrorCode(rawValue: 7)
  public static let cancel = HTTP2ErrorCode(rawValue: 8)
  public static let compressionError = HTTP2ErrorCode(rawValue: 9)
  public static let connectError = HTTP2ErrorCode(rawValue: 10)
  public static let enhanceYourCalm = HTTP2ErrorCode(rawValue: 11)
  public static let inadequateSecurity = HTTP2ErrorCode(rawValue: 12)
  /// The request is to be sent again over HTTP/1.1.
  public static let http11Required = HTTP2ErrorCode(rawValue: 13)

  private static let names = [
    "NO_ERROR", "PROTOCOL_ERROR", "INTERNAL_ERROR", "FLOW_CONTROL_ERROR", "SETTINGS_TIMEOUT", "STREAM_CLOSED",
    "FRAME_SIZE_ERROR", "REFUSED_STREAM", "CANCEL", "COMPRESSION_ERROR", "CONNECT_ERROR", "ENHANCE_YOUR_CALM",
    "INADEQUATE_SECURITY", "HTTP_1_1_REQUIRED",
  ]

  /// The registered name, or the number of a code that is not registered.
  public var description: String {
    rawValue < UInt32(Self.names.count) ? Self.names[Int(rawValue)] : "0x\(String(rawValue, radix: 16))"
  }
}
