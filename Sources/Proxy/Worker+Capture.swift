import Records

/// The bound on what running exchanges of this loop keep of their messages.
extension Worker {
  /// How many bytes more may be kept now.
  var captureRoom: Int { max(0, shared.captureByteLimit - capturedByteCount) }

  /// Whether messages that are known now would be taken by somebody.
  var keepsMessages: Bool { shared.recorder?.admits == true && captureRoom > 0 }

  /// The empty copy of an exchange that begins; nil: nothing of it is kept.
  func beginCapture(bodyLimit: Int) -> Capture? {
    guard let recorder = shared.recorder, recorder.admits else { return nil }
    guard captureRoom > 0 else {
      counters.captureWasSkipped()
      return nil
    }
    return Capture(bodyLimit: bodyLimit)
  }

  func captureChanged(by byteCount: Int) {
    capturedByteCount += byteCount
  }

  func captureEnded(_ capture: Capture) {
    capturedByteCount -= capture.byteCount
    if capture.isStarved { counters.captureWasSkipped() }
  }
}
