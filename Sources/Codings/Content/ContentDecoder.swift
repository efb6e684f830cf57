import Bytes

/// Undoes one content coding of bytes that come in pieces. Confined to its owner.
///
/// Each call writes no more than it is told to, so that bytes which expand without end meet the same back-pressure as any others.
/// Memory is bounded: windows of 32 KiB (gzip, deflate), 16 MiB (br) and 8 MiB (zstd, the most that RFC 9659 allows).
public final class ContentDecoder {
  public let coding: ContentCoding
  private let source: any CodedSource

  /// How much one call of a library may write.
  private static let pieceByteCount = 16 << 10

  public init(_ coding: ContentCoding) throws(CodingFault) {
    self.coding = coding
    switch coding {
    case .gzip: source = try GzipSource()
    case .deflate: source = DeflateSource()
    case .brotli: source = try BrotliSource()
    case .zstd: source = try ZstdSource()
    }
  }

  /// Whether the input may end here. If it ends elsewhere, it was cut.
  public var isComplete: Bool { source.isComplete }

  /// Takes what it can use off the front of `input`, and writes at most `limit` bytes to the end of `output`. What was written before
  /// a fault is good.
  public func decode(
    _ input: ByteQueue, into output: ByteQueue, limit: Int
  ) throws(CodingFault) -> DecodingProgress {
    var room = limit
    while room > 0 {
      let piece = min(room, Self.pieceByteCount)
      let step = try step(input, output, piece)
      room -= step.produced
      // A library that had more to say would have filled the piece.
      if step.produced < piece, step.consumed == 0 || input.isEmpty { return .needsInput }
    }
    return .outputFull
  }

  private func step(_ input: ByteQueue, _ output: ByteQueue, _ count: Int) throws(CodingFault) -> CodedStep {
    var outcome = Result<CodedStep, CodingFault>.success(CodedStep(consumed: 0, produced: 0))
    output.append(upTo: count) { room in
      do throws(CodingFault) {
        let step = try source.step(input.bytes, room)
        outcome = .success(step)
        return step.produced
      } catch {
        outcome = .failure(error)
        return 0
      }
    }
    let step = try outcome.get()
    input.consume(step.consumed)
    return step
  }
}
