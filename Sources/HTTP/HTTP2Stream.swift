import Bytes

/// What a session keeps for a stream. Owned by the session.
final class HTTP2Stream {
  let id: Int32
  /// Bytes that wait for the peer's windows.
  let outgoing = ByteQueue()
  /// No bytes will be added to `outgoing`.
  var isEnding = false
  /// The trailers that follow `outgoing`, ready to be sent.
  var trailers: HTTP2FieldBlock?
  /// The library waits to be told that there are bytes again.
  var isDeferred = false
  var isCongested = false
  /// Bytes that were received and not given back.
  var unconsumed = 0
  /// The method of the request, which says what the response may hold.
  var method = HTTPMethod.get
  /// Interim responses that came.
  var informationalCount = 0
  /// The owner of the session has heard of the stream.
  var isKnown = false
  /// The owner of the session is not to hear of it any more.
  var isSilenced = false
  /// What arrives of the body is thrown away.
  var discardsBody = false
  /// The final head went out, or is on its way.
  var hasHead = false
  /// The last frame of this end's message is out.
  var hasEnded = false
  /// The peer's final head came.
  var hasPeerHead = false
  var hasPeerEnded = false
  /// Why the stream will be closed, if it is not complete.
  var end: HTTP2StreamEnd?

  init(id: Int32) {
    self.id = id
  }
}
