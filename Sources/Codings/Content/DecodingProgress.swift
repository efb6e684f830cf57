/// Where a decoder stands after a call.
public enum DecodingProgress: Equatable, Sendable {
  /// All input is used up and everything that it says has been written.
  case needsInput
  /// The limit of the call was reached; there may be more to write, even without further input.
  case outputFull
}
