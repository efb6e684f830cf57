import Bytes
import Codings

/// A body on its way from an origin to a client, into which a script is put. Confined to its owner.
///
/// What comes in waits until it is asked for, and each call makes a bounded amount: a body that expands meets the client's
/// back-pressure like any other.
public final class InjectingBody {
  private enum Inserter {
    case page(PageInserter)
    case worker(WorkerInserter)
  }

  private let plan: InjectionPlan
  private let decoder: ContentDecoder?
  private let encoder: ContentEncoder?
  private var inserter: Inserter
  private let input = ByteQueue()
  private let decoded = ByteQueue()
  private let inserted = ByteQueue()
  /// The decoder may have more to say without further input.
  private var isExpanding = false

  /// How much is decoded at a time.
  private static let pieceByteCount = 32 << 10

  public init(_ plan: InjectionPlan) throws(CodingFault) {
    self.plan = plan
    decoder = if let coding = plan.decoding { try ContentDecoder(coding) } else { nil }
    encoder = if let coding = plan.encoding { try ContentEncoder(coding) } else { nil }
    inserter =
      switch plan.place {
      case .page(let syntax, let declared):
        .page(
          PageInserter(script: plan.script, syntax: syntax, declared: declared, uploadURL: plan.uploadURL))
      case .worker: .worker(WorkerInserter(script: plan.script))
      }
  }

  /// Whether `produce` has something to do.
  public var hasMore: Bool { isExpanding || !input.isEmpty }

  /// The next bytes from the origin.
  public func receive(_ bytes: UnsafeRawBufferPointer) {
    input.append(bytes)
  }

  /// Writes the next part of what the client gets. What was written before a fault is good.
  public func produce(into output: ByteQueue) throws(CodingFault) {
    guard let decoder else {
      insert(input, output)
      return flush(output)
    }
    do throws(CodingFault) {
      let progress = try decoder.decode(input, into: decoded, limit: Self.pieceByteCount)
      isExpanding = progress == .outputFull
    } catch {
      insert(decoded, output)
      flush(output)
      isExpanding = false
      input.removeAll()
      throw error
    }
    insert(decoded, output)
    if !isExpanding { flush(output) }
  }

  /// The origin's body has ended, and nothing waits any more: writes the rest.
  /// - Returns: whether the body is whole. One that was cut before it was coded is cut behind the coding too.
  public func finish(into output: ByteQueue) -> Bool {
    let isWhole = decoder?.isComplete ?? true
    guard isWhole else {
      flush(output)
      return false
    }
    switch inserter {
    case .page(var page): page.finish(into: inserted)
    case .worker(var worker): worker.finish(into: inserted)
    }
    encode(output)
    encoder?.finish(into: output)
    return true
  }

  private func insert(_ bytes: ByteQueue, _ output: ByteQueue) {
    switch inserter {
    case .page(var page):
      page.take(bytes.bytes, into: inserted)
      inserter = .page(page)
    case .worker(var worker):
      worker.take(bytes.bytes, into: inserted)
      inserter = .worker(worker)
    }
    bytes.removeAll()
    encode(output)
  }

  private func encode(_ output: ByteQueue) {
    if let encoder {
      if !inserted.isEmpty { encoder.encode(inserted.bytes, into: output) }
      inserted.removeAll()
    } else {
      inserted.move(inserted.count, to: output)
    }
  }

  /// A client must be able to read what there is.
  private func flush(_ output: ByteQueue) {
    encoder?.flush(into: output)
  }
}
