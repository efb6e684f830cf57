/// One body in the table of those that wait.
struct EnvelopeEntry {
  enum Content {
    case uploading(Upload)
    /// Outside of the lock its digest is being made.
    case verifying(cost: Int)
    case ready(Envelope)

    var cost: Int {
      switch self {
      case .uploading(let upload): upload.cost
      case .verifying(let cost): cost
      case .ready(let envelope): envelope.bytes.count
      }
    }
  }

  let owner: EnvelopeOwner
  var content: Content
  /// Monotonic nanoseconds.
  var deadline: UInt64
  var useCount = 0

  /// What a body costs beside its bytes.
  private static let ownCost = 512

  var cost: Int { Self.ownCost + content.cost }
}
