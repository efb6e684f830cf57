/// A body whose parts come in any order, some perhaps twice.
struct Upload: Sendable {
  private let count: Int
  private var parts: [Int: [UInt8]] = [:]
  private(set) var meta: EnvelopeMeta?
  private(set) var byteCount = 0

  /// What a part costs beside its bytes.
  private static let partCost = 96

  init(count: Int) {
    self.count = count
  }

  /// What it takes of the memory that there is for bodies.
  var cost: Int { byteCount + parts.count * Self.partCost }

  var isComplete: Bool { parts.count == count }

  /// The bytes in order, once all are there.
  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(byteCount)
    for index in 0..<count { bytes += parts[index] ?? [] }
    return bytes
  }

  /// - Parameter limit: how large the whole may become.
  mutating func add(_ part: UploadPart, limit: Int) throws(EnvelopeFault) {
    guard part.count == count else { throw .malformed("the parts disagree about their number") }
    if let known = parts[part.index] {
      guard known == part.bytes, part.meta == nil || part.meta == meta else { throw .damaged }
      return
    }
    guard byteCount + part.bytes.count <= limit else { throw .tooLarge }
    if let meta = part.meta {
      guard meta.byteCount <= limit || meta.isOverLimit else { throw .tooLarge }
      self.meta = meta
    }
    parts[part.index] = part.bytes
    byteCount += part.bytes.count
  }
}
