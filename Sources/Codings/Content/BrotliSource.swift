import CBrotli

/// Brotli (RFC 7932). What follows its stream is dropped.
final class BrotliSource: CodedSource {
  private let state: OpaquePointer
  private var hasBegun = false
  private var isOver = false

  init() throws(CodingFault) {
    guard let state = BrotliDecoderCreateInstance(nil, nil, nil) else { throw .unavailable(.brotli) }
    self.state = state
  }

  deinit {
    BrotliDecoderDestroyInstance(state)
  }

  var isComplete: Bool { isOver || !hasBegun }

  func step(_ input: UnsafeRawBufferPointer, _ output: UnsafeMutableRawBufferPointer) throws(CodingFault) -> CodedStep {
    guard !isOver else { return CodedStep(consumed: input.count, produced: 0) }
    hasBegun = hasBegun || !input.isEmpty
    var nextInput = input.bindMemory(to: UInt8.self).baseAddress
    var inputCount = input.count
    var nextOutput = output.bindMemory(to: UInt8.self).baseAddress
    var room = output.count
    let result = BrotliDecoderDecompressStream(state, &inputCount, &nextInput, &room, &nextOutput, nil)
    guard result != BROTLI_DECODER_RESULT_ERROR else { throw .corrupt(.brotli) }
    isOver = result == BROTLI_DECODER_RESULT_SUCCESS
    return CodedStep(consumed: input.count - inputCount, produced: output.count - room)
  }
}
