/// A timestamp with what it is worth by the list of logs.
struct AssessedTimestamp: Sendable, Hashable {
  enum Standing: Sendable, Hashable {
    case approved
    /// Of a log that was retired later; counts as long as another one is approved.
    case onceApproved
    case worthless(Flaw)
  }

  enum Flaw: Sendable, Hashable {
    case unknownLog, badSignature, unchecked, fromTheFuture
    /// The certificate does not expire in the time that the log takes certificates for.
    case outsideInterval
    /// The log is pending, rejected, or for tests.
    case notApproved
    /// Made after the log became read-only or was retired; or not embedded, and of a retired log.
    case afterEnd
  }

  let timestamp: SignedTimestamp
  let log: TransparencyLog?
  let standing: Standing

  var counts: Bool {
    if case .worthless = standing { false } else { true }
  }

  /// `Argon2026 (Google)`.
  var logName: String {
    guard let log else { return "an unknown log" }
    return "\(log.description) (\(log.operatorName(at: timestamp.milliseconds)))"
  }

  /// `Argon2026 (Google)`, with what is wrong with it.
  var text: String {
    guard case .worthless(let flaw) = standing else { return logName }
    let why =
      switch flaw {
      case .unknownLog: "not in the log list"
      case .badSignature: "its signature is not valid"
      case .unchecked: "its signature could not be checked"
      case .fromTheFuture: "its time lies in the future"
      case .outsideInterval: "the log takes no certificates that expire then"
      case .notApproved: "the log is not approved"
      case .afterEnd: "made after the log was closed"
      }
    return log == nil ? "one of a log that is \(why)" : "\(logName): \(why)"
  }
}
