import Synchronization

/// Bodies that came ahead of their requests, for all loops. Bounded in size, time and use: a body serves the redirects of one request, no more.
public final class EnvelopeStore: Sendable {
  /// What `take` finds.
  public enum Finding: Sendable, Equatable {
    case envelope(Envelope)
    /// Never seen here, another client's, too old, or used too often.
    case unknown
    /// Some parts have not come.
    case incomplete
  }

  /// How long a body waits for its request, or for its next part.
  public static let lifetime = Duration.seconds(60)

  private let table = Mutex(EnvelopeTable())

  public init() {}

  /// How many bytes wait, with what they cost beside.
  public var byteCount: Int { table.withLock { $0.total } }

  /// Takes a part of a body.
  ///
  /// - Parameters:
  ///   - now: a clock that only goes forward, in nanoseconds.
  ///   - digest: SHA-256; called when the last part has come.
  /// - Returns: whether the body is whole now.
  @discardableResult
  public func put(
    _ part: UploadPart, of owner: EnvelopeOwner, now: UInt64, bounds: EnvelopeBounds,
    digest: (_ bytes: [UInt8]) -> [UInt8]
  ) throws(EnvelopeFault) -> Bool {
    let added: Result<Upload?, EnvelopeFault> = table.withLock { table in
      table.sweep(now)
      do throws(EnvelopeFault) { return .success(try table.add(part, of: owner, now: now, bounds: bounds)) } catch {
        return .failure(error)
      }
    }
    guard let upload = try added.get() else { return false }
    let envelope = try? upload.meta.map { try Envelope(meta: $0, bytes: upload.bytes, digest: digest) }
    table.withLock { $0.verified(part.identifier, envelope ?? nil, now: now) }
    guard envelope != nil else { throw .damaged }
    return true
  }

  /// Whether the body of that name has come.
  public func holds(_ identifier: EnvelopeID, of owner: EnvelopeOwner) -> Bool {
    table.withLock { $0.holds(identifier, of: owner) }
  }

  /// The body of that name, for one request.
  public func take(_ identifier: EnvelopeID, of owner: EnvelopeOwner, now: UInt64) -> Finding {
    table.withLock { table in
      table.sweep(now)
      return table.take(identifier, of: owner, now: now)
    }
  }

  /// Forgets what is too old. Called now and then, so that nothing stays where no other call comes.
  /// - Returns: whether something still waits.
  public func sweep(now: UInt64) -> Bool {
    table.withLock { table in
      table.sweep(now)
      return !table.isEmpty
    }
  }
}
