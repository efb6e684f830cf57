import Bytes

/// Applies one content coding to bytes that come in pieces, as fast as the coding can. Confined to its owner.
///
/// After `flush` a receiver can read everything that was given until then. Without `finish` the coded bytes look cut.
public final class ContentEncoder {
  public let coding: ContentCoding
  private let target: any CodingTarget

  public init(_ coding: ContentCoding) throws(CodingFault) {
    self.coding = coding
    switch coding {
    case .gzip: target = try Deflater(.gzip)
    case .deflate: target = try Deflater(.deflate)
    case .brotli: target = try BrotliTarget()
    case .zstd: target = try ZstdTarget()
    }
  }

  /// Adds `bytes`; what is ready of the coded form goes to the end of `output`.
  public func encode(_ bytes: UnsafeRawBufferPointer, into output: ByteQueue) {
    run(bytes, .goOn, output)
  }

  public func flush(into output: ByteQueue) {
    run(UnsafeRawBufferPointer(start: nil, count: 0), .flush, output)
  }

  /// Nothing follows.
  public func finish(into output: ByteQueue) {
    run(UnsafeRawBufferPointer(start: nil, count: 0), .finish, output)
  }

  private func run(_ bytes: UnsafeRawBufferPointer, _ operation: CodingOperation, _ output: ByteQueue) {
    var rest = bytes
    var isDone = false
    while !isDone {
      output.append(upTo: 8 << 10) { room in
        let step = target.step(rest, operation, room)
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(step.consumed))
        isDone = step.produced < room.count && rest.isEmpty || step.consumed == 0 && step.produced == 0
        return step.produced
      }
    }
  }
}

enum CodingOperation {
  case goOn
  case flush
  case finish
}

/// One content coding being applied by its library. Confined to the encoder that owns it.
protocol CodingTarget: AnyObject {
  func step(
    _ input: UnsafeRawBufferPointer, _ operation: CodingOperation, _ output: UnsafeMutableRawBufferPointer
  ) -> CodedStep
}
