/// What all imports together say of one origin.
struct ImportsJudgement: Sendable {
  /// Of the first import that refuses.
  var refusal: Refusal?
  var matched: [UInt8]?
  /// The sources of pins that only report.
  var mismatched: [String] = []
  var failures: [PinFailure] = []
}
