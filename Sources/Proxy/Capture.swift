import Records

/// What is kept of an exchange while it runs: a bounded copy of both messages beside their streams. Part of its exchange.
struct Capture {
  /// One of the two messages.
  private struct Side {
    var fields = CapturedFields()
    var body: [UInt8] = []
    var isTruncated = false
    var isStarved = false

    var message: CapturedMessage { CapturedMessage(fields, body: body, isTruncated: isTruncated) }

    /// Takes the beginning of a body piece. What follows a piece that was cut is left out too, or there would be a gap.
    /// - Returns: how many bytes were taken.
    mutating func take(_ bytes: UnsafeRawBufferPointer, limit: Int, room: Int) -> Int {
      guard !isTruncated else { return 0 }
      let wanted = max(0, min(bytes.count, limit - body.count))
      let count = max(0, min(wanted, room))
      isStarved = count < wanted
      isTruncated = count < bytes.count
      body.append(contentsOf: bytes.prefix(count))
      return count
    }
  }

  private var requestSide = Side()
  private var responseSide = Side()
  private var hasResponse = false
  /// How much of each body is kept.
  private let bodyLimit: Int
  /// What all copies take.
  private(set) var byteCount = 0

  init(bodyLimit: Int) {
    self.bodyLimit = bodyLimit
  }

  var request: CapturedMessage { requestSide.message }

  /// Less is kept than should be, because the loop keeps too much already.
  var isStarved: Bool { requestSide.isStarved || responseSide.isStarved }

  /// nil: no head of an answer went to the client.
  var response: CapturedMessage? { hasResponse ? responseSide.message : nil }

  mutating func take(requestFields fields: CapturedFields) {
    requestSide.fields = fields
    byteCount += fields.byteCount
  }

  mutating func take(responseFields fields: CapturedFields) {
    hasResponse = true
    responseSide.fields = fields
    byteCount += fields.byteCount
  }

  mutating func take(responseTrailers trailers: CapturedFields) {
    responseSide.fields.append(trailers)
    byteCount += trailers.byteCount
  }

  /// - Parameter room: how many bytes more may be kept on this loop.
  mutating func take(requestBody bytes: UnsafeRawBufferPointer, room: Int) {
    byteCount += requestSide.take(bytes, limit: bodyLimit, room: room)
  }

  mutating func take(responseBody bytes: UnsafeRawBufferPointer, room: Int) {
    byteCount += responseSide.take(bytes, limit: bodyLimit, room: room)
  }
}
