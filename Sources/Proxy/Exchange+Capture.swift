import Bytes
import Configuration
import HTTP
import Records

/// What the history gets of an exchange's messages. Nothing is copied unless `capture` is there.
extension Exchange {
  /// Decides whether the messages of this exchange are kept, and keeps the head of the request.
  func beginCapture() {
    guard let begun = worker.beginCapture(bodyLimit: connection.lane.captureByteCount) else { return }
    capture = begun
    keep { $0?.take(requestFields: CapturedFields(head.fields)) }
  }

  func captureRequestBody(_ bytes: UnsafeRawBufferPointer) {
    guard capture != nil else { return }
    let room = worker.captureRoom
    keep { $0?.take(requestBody: bytes, room: room) }
  }

  func captureResponseBody(_ bytes: UnsafeRawBufferPointer) {
    guard capture != nil else { return }
    let room = worker.captureRoom
    keep { $0?.take(responseBody: bytes, room: room) }
  }

  /// Writes the head of an answer with `write`, and keeps it as the client gets it.
  func capturingResponseHead(_ write: () -> Void) {
    guard capture != nil else { return write() }
    let mark = stream.outputMark
    write()
    let fields = stream.fieldsWritten(since: mark)
    keep { $0?.take(responseFields: fields) }
  }

  func captureTrailers(_ trailers: HeaderList?) {
    guard capture != nil, let trailers, !trailers.isEmpty else { return }
    keep { $0?.take(responseTrailers: CapturedFields(trailers: trailers)) }
  }

  /// An answer of our own, whole.
  func writeOwn(_ answer: OwnAnswer, closes: Bool) {
    capturingResponseHead { stream.writeOwn(answer, request: head, closes: closes) }
    if head.method != .head { captureResponseBody(answer.body.bytes) }
  }

  /// The exchange is over: its copies go where its record goes, and the loop has their room again.
  func takeCapture() -> (request: CapturedMessage?, response: CapturedMessage?) {
    guard let capture else { return (nil, nil) }
    self.capture = nil
    worker.captureEnded(capture)
    return (capture.request, capture.response)
  }

  private func keep(_ take: (inout Capture?) -> Void) {
    let before = capture?.byteCount ?? 0
    take(&capture)
    worker.captureChanged(by: (capture?.byteCount ?? 0) - before)
  }
}
