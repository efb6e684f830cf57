import CZlib

/// zlib's encoder at its fastest level.
final class Deflater: CodingTarget {
  /// zlib keeps a pointer back to it, so it must not move.
  private let stream: UnsafeMutablePointer<z_stream>

  init(_ coding: ContentCoding) throws(CodingFault) {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    let format: Inflater.Format = coding == .gzip ? .gzip : .zlib
    let size = Int32(MemoryLayout<z_stream>.size)
    guard
      deflateInit2_(
        stream, Z_BEST_SPEED, Z_DEFLATED, format.rawValue, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size) == Z_OK
    else {
      stream.deallocate()
      throw .unavailable(coding)
    }
  }

  deinit {
    deflateEnd(stream)
    stream.deallocate()
  }

  func step(
    _ input: UnsafeRawBufferPointer, _ operation: CodingOperation, _ output: UnsafeMutableRawBufferPointer
  ) -> CodedStep {
    let inputCount = min(input.count, Int(UInt32.max))
    stream.pointee.next_in = UnsafeMutablePointer(mutating: input.bindMemory(to: UInt8.self).baseAddress)
    stream.pointee.avail_in = UInt32(inputCount)
    stream.pointee.next_out = output.bindMemory(to: UInt8.self).baseAddress
    stream.pointee.avail_out = UInt32(output.count)
    deflate(stream, Self.flag(operation))
    return CodedStep(
      consumed: inputCount - Int(stream.pointee.avail_in), produced: output.count - Int(stream.pointee.avail_out))
  }

  private static func flag(_ operation: CodingOperation) -> Int32 {
    switch operation {
    case .goOn: Z_NO_FLUSH
    case .flush: Z_SYNC_FLUSH
    case .finish: Z_FINISH
    }
  }
}
