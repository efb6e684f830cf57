import CZlib

/// zlib's decoder, in one of its formats. Owned by a source.
final class Inflater {
  /// The values of zlib's `windowBits`.
  enum Format: Int32 {
    case gzip = 31
    case zlib = 15
    case raw = -15
  }

  enum End {
    case goesOn
    case streamEnded
    case broken
  }

  /// zlib keeps a pointer back to it, so it must not move.
  private let stream: UnsafeMutablePointer<z_stream>

  /// nil: no memory.
  init?(_ format: Format) {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    let size = Int32(MemoryLayout<z_stream>.size)
    guard inflateInit2_(stream, format.rawValue, ZLIB_VERSION, size) == Z_OK else {
      stream.deallocate()
      return nil
    }
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  /// Begins another stream of the same format.
  func reset() {
    inflateReset(stream)
  }

  func step(_ input: UnsafeRawBufferPointer, _ output: UnsafeMutableRawBufferPointer) -> (step: CodedStep, end: End) {
    let inputCount = min(input.count, Int(UInt32.max))
    let input = input.bindMemory(to: UInt8.self)
    stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
    stream.pointee.avail_in = UInt32(inputCount)
    stream.pointee.next_out = output.bindMemory(to: UInt8.self).baseAddress
    stream.pointee.avail_out = UInt32(min(output.count, Int(UInt32.max)))
    let room = stream.pointee.avail_out
    let code = inflate(stream, Z_NO_FLUSH)
    let step = CodedStep(
      consumed: inputCount - Int(stream.pointee.avail_in), produced: Int(room - stream.pointee.avail_out))
    switch code {
    case Z_OK, Z_BUF_ERROR: return (step, .goesOn)
    case Z_STREAM_END: return (step, .streamEnded)
    default: return (step, .broken)
    }
  }
}
