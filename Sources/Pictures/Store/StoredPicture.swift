import HTTP
import Synchronization

/// One response that is kept: exactly the bytes that the origin sent. Immutable but for when it was last used, so all loops share it.
public final class StoredPicture: Sendable {
  public let place: PicturePlace
  public let status: Int
  let reason: [UInt8]
  /// Without those that ended at this hop.
  public let fields: HeaderList
  public let body: [UInt8]
  let variant: Variant
  /// When its request went out and when its head came, in milliseconds since 1970.
  let requested: Int64
  let received: Int64
  let terms: ResponseTerms
  /// Seconds.
  let lifetime: Int
  private let used: Atomic<Int64>
  /// What the disk knows of `used`.
  let usedOnDisk: Atomic<Int64>

  /// No guess at freshness goes beyond a week.
  private static let longestGuess = 7 * 86_400

  init(
    place: PicturePlace, status: Int, reason: [UInt8], fields: HeaderList, body: [UInt8], variant: Variant,
    requested: Int64, received: Int64, used: Int64
  ) {
    self.place = place
    self.status = status
    self.reason = reason
    self.fields = fields
    self.body = body
    self.variant = variant
    self.requested = requested
    self.received = received
    terms = ResponseTerms(status: status, fields)
    lifetime = terms.freshnessLifetime(received: Int(received / 1_000), longestGuess: Self.longestGuess)
    self.used = Atomic(used)
    usedOnDisk = Atomic(used)
  }

  /// What it takes in memory, about.
  var byteCount: Int { body.count + fields.byteCount + 512 }

  /// Milliseconds since 1970.
  var lastUse: Int64 { used.load(ordering: .relaxed) }

  func wasUsed(at now: Int64) {
    if now > lastUse { used.store(now, ordering: .relaxed) }
  }

  /// Seconds.
  public func age(at now: Int64) -> Int {
    terms.currentAge(requested: Int(requested / 1_000), received: Int(received / 1_000), now: Int(now / 1_000))
  }

  /// Which of two is the newer one (RFC 9111, section 4.1).
  func isNewer(than other: StoredPicture) -> Bool {
    let mine = terms.date.map { Int64($0.seconds) } ?? received / 1_000
    let others = other.terms.date.map { Int64($0.seconds) } ?? other.received / 1_000
    return (mine, received) > (others, other.received)
  }

  /// Whether keeping it is of any use: it is fresh for a while, can be validated, or may stand in for a failing origin.
  var isWorthKeeping: Bool {
    lifetime > 0 || fields.contains(.etag) || fields.contains(.lastModified) || terms.staleIfError != nil
  }
}
