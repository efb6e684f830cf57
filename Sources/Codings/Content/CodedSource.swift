/// One content coding being undone by its library. Confined to the decoder that owns it.
protocol CodedSource: AnyObject {
  /// Whether the input may end here: at the end of a stream, or before its first byte.
  var isComplete: Bool { get }

  /// Reads from `input` and writes into `output`, as much as fits.
  func step(_ input: UnsafeRawBufferPointer, _ output: UnsafeMutableRawBufferPointer) throws(CodingFault) -> CodedStep
}

/// What one call of a library did.
struct CodedStep {
  var consumed: Int
  var produced: Int
}
