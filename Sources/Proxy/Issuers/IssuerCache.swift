import EventLoop
import Names
import TLS

/// Certificates of issuers that origins do not send, fetched from where their certificates say (RFC 5280 section 4.2.2.1), for trust
/// policies with `fetchIntermediates`.
///
/// What is fetched is trusted no more than what an origin sends: it may only stand between a certificate and an anchor. One for each loop
/// and configuration; bounded in entries and in fetches that run.
final class IssuerCache {
  /// Certificates that clients behind the target guard may make pinwarden fetch are kept apart from others.
  struct Key: Hashable {
    let location: String
    let isGuarded: Bool
  }

  enum Known {
    case unknown
    case certificates([Certificate])
    /// It failed a short time ago; why.
    case failed(IssuerFault)
  }

  private struct Entry {
    let outcome: Result<[Certificate], IssuerFault>
    /// On the loop's clock.
    let expires: UInt64
  }

  private static let entryLimit = 256
  private static let runningLimit = 16
  /// In nanoseconds: a day, and five minutes for failures.
  private static let lifetime: UInt64 = 86_400 * 1_000_000_000
  private static let failureLifetime: UInt64 = 300 * 1_000_000_000

  private let loop: EventLoop
  private var entries: [Key: Entry] = [:]
  private var waiting: [Key: [() -> Void]] = [:]

  init(loop: EventLoop) {
    self.loop = loop
  }

  func known(_ key: Key) -> Known {
    guard let entry = entries[key], entry.expires > loop.now else { return .unknown }
    switch entry.outcome {
    case .success(let certificates): return .certificates(certificates)
    case .failure(let fault): return .failed(fault)
    }
  }

  /// Fetches, unless the same is under way. `done` is called later on the loop; `known` has the outcome then.
  func fetch(_ location: TargetURL, for plan: OriginPlan, worker: Worker, _ done: @escaping () -> Void) {
    let key = Key(location: location.description, isGuarded: plan.key.isGuarded)
    if waiting[key] != nil {
      waiting[key]?.append(done)
      return
    }
    waiting[key] = [done]
    guard waiting.count <= Self.runningLimit else {
      return loop.performSoon { self.finish(key, .failure(IssuerFault("too many issuers are being fetched"))) }
    }
    // The closure keeps the fetch's owner, and the fetch keeps itself until its end.
    IssuerFetch(location, plan: plan, worker: worker) { self.finish(key, $0) }.start()
  }

  private func finish(_ key: Key, _ outcome: Result<[Certificate], IssuerFault>) {
    if entries.count >= Self.entryLimit { makeRoom() }
    let lifetime = if case .success = outcome { Self.lifetime } else { Self.failureLifetime }
    entries[key] = Entry(outcome: outcome, expires: loop.now &+ lifetime)
    for waiter in waiting.removeValue(forKey: key) ?? [] { waiter() }
  }

  private func makeRoom() {
    entries = entries.filter { $0.value.expires > loop.now }
    if entries.count >= Self.entryLimit { entries = [:] }
  }
}

/// Why an issuer could not be fetched; a part of a sentence.
struct IssuerFault: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
