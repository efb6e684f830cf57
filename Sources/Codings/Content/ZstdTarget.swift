import CZstd

/// Zstandard's encoder at its fast level.
final class ZstdTarget: CodingTarget {
  private let context: OpaquePointer
  /// The frame is complete: another call would begin an empty one.
  private var isOver = false

  init() throws(CodingFault) {
    guard let context = ZSTD_createCCtx() else { throw .unavailable(.zstd) }
    self.context = context
    ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, 1)
  }

  deinit {
    ZSTD_freeCCtx(context)
  }

  func step(
    _ input: UnsafeRawBufferPointer, _ operation: CodingOperation, _ output: UnsafeMutableRawBufferPointer
  ) -> CodedStep {
    guard !isOver else { return CodedStep(consumed: 0, produced: 0) }
    var source = ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
    var target = ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
    let rest = ZSTD_compressStream2(context, &target, &source, Self.directive(operation))
    isOver = operation == .finish && rest == 0
    return CodedStep(consumed: source.pos, produced: target.pos)
  }

  private static func directive(_ operation: CodingOperation) -> ZSTD_EndDirective {
    switch operation {
    case .goOn: ZSTD_e_continue
    case .flush: ZSTD_e_flush
    case .finish: ZSTD_e_end
    }
  }
}
