import Bytes
import TLS

/// A TLS connection that carries another one, or plain bytes, inside: with a proxy that is itself spoken to in TLS. Belongs to its
/// transport, and is confined to its loop.
final class OuterTLS {
  private let session: TLSSession
  /// Where the session puts what goes to the peer.
  let outgoing: ByteQueue
  private let opened = ByteQueue()
  private var hasClosed = false

  init(_ session: TLSSession, outgoing: ByteQueue) {
    self.session = session
    self.outgoing = outgoing
  }

  /// Takes everything off `queue`, which a handshake that is over does at once.
  func seal(_ queue: ByteQueue) throws(TLSFailure) {
    guard !queue.isEmpty else { return }
    queue.consume(try session.seal(queue.bytes))
  }

  /// Passes on what is inside `ciphertext`; as much as that, so it needs no limit.
  /// - Returns: whether the peer has ended its side.
  func open(
    _ ciphertext: UnsafeRawBufferPointer, _ take: (UnsafeRawBufferPointer) -> Void
  ) throws(TLSFailure) -> Bool {
    let (_, isEnd) = try session.open(ciphertext, into: opened, limit: .max)
    if !opened.isEmpty {
      take(opened.bytes)
      opened.removeAll()
    }
    return isEnd
  }

  /// Says once that nothing more comes.
  func close() {
    guard !hasClosed else { return }
    hasClosed = true
    session.close()
  }

  func releaseMemory() {
    outgoing.releaseIfEmpty()
    opened.releaseIfEmpty()
  }
}
