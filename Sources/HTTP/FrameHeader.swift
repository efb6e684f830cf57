import CNGHTTP2

/// The first nine bytes of an HTTP/2 frame, as far as they are looked at here (RFC 9113, section 4.1).
struct FrameHeader {
  enum FrameType: UInt8 {
    case data = 0
    case headers = 1
    case priority = 2
    case reset = 3
    case settings = 4
    case pushPromise = 5
    case ping = 6
    case goaway = 7
    case windowUpdate = 8
    case continuation = 9
    case other = 255
  }

  let type: FrameType
  let length: Int
  let stream: Int32
  private let flags: UInt8

  init(_ header: nghttp2_frame_hd) {
    type = FrameType(rawValue: header.type) ?? .other
    length = header.length
    stream = header.stream_id
    flags = header.flags
  }

  /// Of DATA and HEADERS.
  var endsStream: Bool { flags & 0x01 != 0 }
  /// Of SETTINGS and PING.
  var isAcknowledgement: Bool { flags & 0x01 != 0 }
  /// Of DATA and HEADERS.
  var isPadded: Bool { flags & 0x08 != 0 }
}
