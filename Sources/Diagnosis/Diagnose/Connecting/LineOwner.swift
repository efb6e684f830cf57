/// Who works over a line. All calls come on its loop.
protocol LineOwner: AnyObject {
  /// The TLS that was begun last is complete.
  func lineSecured(_ line: Line)
  /// `received` has grown, or the other side has ended (`hasEnded`).
  func lineReceived(_ line: Line)
  /// The line is of no more use. The owner closes it.
  func lineBroke(_ line: Line, _ fault: LineFault)
}
