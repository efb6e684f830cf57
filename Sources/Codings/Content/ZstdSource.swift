import CZstd

/// Zstandard (RFC 8878): one or more frames.
final class ZstdSource: CodedSource {
  private let context: OpaquePointer
  private var isBetweenFrames = true

  /// Windows of at most 8 MiB, as RFC 9659 limits the coding.
  private static let largestWindowLog: Int32 = 23

  init() throws(CodingFault) {
    guard let context = ZSTD_createDCtx() else { throw .unavailable(.zstd) }
    self.context = context
    ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, Self.largestWindowLog)
  }

  deinit {
    ZSTD_freeDCtx(context)
  }

  var isComplete: Bool { isBetweenFrames }

  func step(_ input: UnsafeRawBufferPointer, _ output: UnsafeMutableRawBufferPointer) throws(CodingFault) -> CodedStep {
    // Between two frames the library would take a call without input for the beginning of the next.
    if isBetweenFrames, input.isEmpty { return CodedStep(consumed: 0, produced: 0) }
    var source = ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
    var target = ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
    let code = ZSTD_decompressStream(context, &target, &source)
    guard ZSTD_isError(code) == 0 else { throw .corrupt(.zstd) }
    isBetweenFrames = code == 0
    return CodedStep(consumed: source.pos, produced: target.pos)
  }
}
