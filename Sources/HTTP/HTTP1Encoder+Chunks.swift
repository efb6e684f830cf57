import Bytes

extension HTTP1Encoder {
  /// Writes `bytes` as one chunk. No bytes write nothing: an empty chunk would end the body.
  public static func writeChunk(_ bytes: UnsafeRawBufferPointer, into queue: ByteQueue) {
    guard !bytes.isEmpty else { return }
    writeChunkHeader(bytes.count, into: queue)
    queue.append(bytes)
    writeChunkEnd(into: queue)
  }

  /// Writes the line before a chunk of `count` bytes, at least one. The caller appends them, then calls `writeChunkEnd`.
  public static func writeChunkHeader(_ count: Int, into queue: ByteQueue) {
    let digitCount = max(1, (Int.bitWidth - count.leadingZeroBitCount + 3) / 4)
    queue.append(upTo: digitCount + 2) { room in
      for index in 0..<digitCount {
        let digit = UInt8(truncatingIfNeeded: count >> (4 * (digitCount - 1 - index))) & 0x0F
        room[index] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
      }
      room[digitCount] = ByteClass.carriageReturn
      room[digitCount + 1] = ByteClass.lineFeed
      return digitCount + 2
    }
  }

  public static func writeChunkEnd(into queue: ByteQueue) {
    queue.append("\r\n")
  }

  /// Writes the last chunk and the trailer section, less the fields that must not stand there (RFC 9110 6.5.1): what frames, routes
  /// or authenticates a message, or says how to read it, came too late for whoever needs it.
  public static func writeLastChunk(trailers: HeaderList? = nil, into queue: ByteQueue) {
    let trailers = trailers ?? HeaderList()
    HeadBlock.append(upTo: FieldWriter().byteCount(atMost: trailers), to: queue) { block in
      block.append("0\r\n")
      trailers.forEach { token, name, value in
        guard !isHeadOnly(token) else { return }
        FieldWriter.write(name, value, into: &block)
      }
      block.append("\r\n")
    }
  }

  /// Whether a field means nothing, or something else, in a trailer section.
  static func isHeadOnly(_ token: FieldName) -> Bool {
    switch token {
    case .connection, .contentLength, .host, .http2Settings, .keepAlive, .proxyAuthenticate, .proxyAuthenticationInfo,
      .proxyAuthorization, .proxyConnection, .te, .trailer, .transferEncoding, .upgrade, .via:
      true
    case .age, .authorization, .cacheControl, .contentEncoding, .contentRange, .contentType, .cookie, .expect, .expires,
      .ifMatch, .ifModifiedSince, .ifNoneMatch, .ifRange, .ifUnmodifiedSince, .location, .maxForwards, .pragma, .range,
      .retryAfter, .setCookie, .vary, .wwwAuthenticate:
      true
    default: false
    }
  }
}
