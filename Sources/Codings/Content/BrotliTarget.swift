import CBrotli

/// Brotli's encoder at a fast quality.
final class BrotliTarget: CodingTarget {
  private let state: OpaquePointer

  init() throws(CodingFault) {
    guard let state = BrotliEncoderCreateInstance(nil, nil, nil) else { throw .unavailable(.brotli) }
    self.state = state
    BrotliEncoderSetParameter(state, BROTLI_PARAM_QUALITY, 1)
    BrotliEncoderSetParameter(state, BROTLI_PARAM_LGWIN, 18)
  }

  deinit {
    BrotliEncoderDestroyInstance(state)
  }

  func step(
    _ input: UnsafeRawBufferPointer, _ operation: CodingOperation, _ output: UnsafeMutableRawBufferPointer
  ) -> CodedStep {
    var nextInput = input.bindMemory(to: UInt8.self).baseAddress
    var inputCount = input.count
    var nextOutput = output.bindMemory(to: UInt8.self).baseAddress
    var room = output.count
    BrotliEncoderCompressStream(
      state, Self.operation(operation), &inputCount, &nextInput, &room, &nextOutput, nil)
    return CodedStep(consumed: input.count - inputCount, produced: output.count - room)
  }

  private static func operation(_ operation: CodingOperation) -> BrotliEncoderOperation {
    switch operation {
    case .goOn: BROTLI_OPERATION_PROCESS
    case .flush: BROTLI_OPERATION_FLUSH
    case .finish: BROTLI_OPERATION_FINISH
    }
  }
}
