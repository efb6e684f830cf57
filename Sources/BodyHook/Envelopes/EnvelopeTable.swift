/// The bodies that wait, by their identifiers, and what they cost. ``EnvelopeStore`` guards it.
struct EnvelopeTable {
  private var entries: [EnvelopeID: EnvelopeEntry] = [:]
  private var costs: [EnvelopeOwner: Int] = [:]
  private(set) var total = 0
  private var nextSweep: UInt64 = 0

  /// Nanoseconds.
  private static let lifetime = UInt64(EnvelopeStore.lifetime.components.seconds) * 1_000_000_000
  private static let sweepInterval: UInt64 = 1_000_000_000
  /// How many requests one body serves.
  private static let useLimit = 20

  var isEmpty: Bool { entries.isEmpty }

  /// Forgets what is too old; not more often than once a second.
  mutating func sweep(_ now: UInt64) {
    guard now >= nextSweep else { return }
    nextSweep = now + Self.sweepInterval
    for (identifier, entry) in entries where entry.deadline <= now { remove(identifier) }
  }

  /// - Returns: the upload whose digest is to be made now; nil: parts are missing, or the body is there already.
  mutating func add(
    _ part: UploadPart, of owner: EnvelopeOwner, now: UInt64, bounds: EnvelopeBounds
  ) throws(EnvelopeFault) -> Upload? {
    if let known = entries[part.identifier] {
      guard known.owner == owner else { throw .malformed("the identifier is in use") }
      guard case .uploading = known.content else { return nil }
    }
    var entry =
      entries[part.identifier]
      ?? EnvelopeEntry(owner: owner, content: .uploading(Upload(count: part.count)), deadline: 0)
    guard case .uploading(var upload) = entry.content else { return nil }
    // The table lets go of the upload while it grows, so that it is not copied.
    remove(part.identifier)
    entry.content = .verifying(cost: 0)
    try upload.add(part, limit: bounds.bodyByteCount)
    entry.deadline = now + Self.lifetime
    entry.content = upload.isComplete ? .verifying(cost: upload.cost) : .uploading(upload)
    guard costs[owner, default: 0] + entry.cost <= bounds.clientByteCount, total + entry.cost <= bounds.totalByteCount
    else { throw .full }
    insert(entry, part.identifier)
    return upload.isComplete ? upload : nil
  }

  /// - Parameter envelope: nil: the parts do not make up the body.
  mutating func verified(_ identifier: EnvelopeID, _ envelope: Envelope?, now: UInt64) {
    guard var entry = entries[identifier], case .verifying = entry.content else { return }
    remove(identifier)
    guard let envelope else { return }
    entry.content = .ready(envelope)
    entry.deadline = now + Self.lifetime
    insert(entry, identifier)
  }

  func holds(_ identifier: EnvelopeID, of owner: EnvelopeOwner) -> Bool {
    guard let entry = entries[identifier], entry.owner == owner, case .ready = entry.content else { return false }
    return true
  }

  mutating func take(_ identifier: EnvelopeID, of owner: EnvelopeOwner, now: UInt64) -> EnvelopeStore.Finding {
    guard let entry = entries[identifier], entry.owner == owner, entry.deadline > now else { return .unknown }
    guard case .ready(let envelope) = entry.content else { return .incomplete }
    guard entry.useCount < Self.useLimit else { return .unknown }
    entries[identifier]?.useCount += 1
    return .envelope(envelope)
  }

  private mutating func insert(_ entry: EnvelopeEntry, _ identifier: EnvelopeID) {
    entries[identifier] = entry
    costs[entry.owner, default: 0] += entry.cost
    total += entry.cost
  }

  private mutating func remove(_ identifier: EnvelopeID) {
    guard let entry = entries.removeValue(forKey: identifier) else { return }
    total -= entry.cost
    let rest = costs[entry.owner, default: 0] - entry.cost
    costs[entry.owner] = rest > 0 ? rest : nil
  }
}
