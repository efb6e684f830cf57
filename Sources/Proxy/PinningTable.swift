import Names
import TLS

/// What is remembered of the clients of one lane that refuse our certificate: when, and for which hosts. A machine without a clock: moments
/// are nanoseconds of one monotonic clock. Bounded.
struct PinningTable {
  /// Refusals within `window` that make a pair of client and host suspect.
  static let threshold = 3
  static let window: UInt64 = 600 * 1_000_000_000
  /// How long a pair stays suspect, and how long a client is known to trust the authority.
  static let term: UInt64 = 3_600 * 1_000_000_000
  static let pairLimit = 1_024
  static let clientLimit = 1_024
  private static let refusedHostLimit = 8

  private struct Pair: Hashable {
    let client: IPAddress?
    let host: Host
  }

  private struct Evidence {
    /// The last refusals, at most `threshold`, oldest first.
    var moments: [UInt64] = []
    /// A refusal named the certificate, so that working connections to the host do not refute it.
    var isCertain = false
    var suspectedSince: UInt64?
    var last: UInt64 { max(moments.last ?? 0, suspectedSince ?? 0) }
  }

  private struct Manner {
    /// When a connection of it last carried a request.
    var accepted: UInt64?
    /// Hosts for which it refused us, with the last time.
    var refused: [Host: UInt64] = [:]
    var knowsNoAuthority = false
    var last: UInt64 = 0
  }

  private var pairs: [Pair: Evidence] = [:]
  private var clients: [IPAddress?: Manner] = [:]

  var pairCount: Int { pairs.count }
  var clientCount: Int { clients.count }

  /// A client refused our certificate for a host.
  ///
  /// - Returns: what is suspected, once enough refusals came together; nil: too few yet.
  mutating func refused(
    _ rejection: CertificateRejection, by client: IPAddress?, for host: Host, at now: UInt64
  ) -> PinningSuspicion? {
    note(rejection, by: client, for: host, at: now)
    let pair = Pair(client: client, host: host)
    if pairs[pair] == nil { makeRoomForPair(at: now) }
    var evidence = pairs[pair] ?? Evidence()
    evidence.moments = Array(
      (evidence.moments.filter { Self.age($0, now) <= Self.window } + [now]).suffix(Self.threshold))
    if case .alert = rejection { evidence.isCertain = true }
    if evidence.moments.count == Self.threshold { evidence.suspectedSince = now }
    pairs[pair] = evidence
    return suspicion(of: client, for: host, at: now)
  }

  /// A connection of the client to the host carried a request.
  mutating func accepted(by client: IPAddress?, for host: Host, at now: UInt64) {
    if clients[client] == nil { makeRoomForClient() }
    var manner = clients[client] ?? Manner()
    manner.accepted = now
    manner.last = now
    manner.knowsNoAuthority = false
    clients[client] = manner
    let pair = Pair(client: client, host: host)
    if pairs[pair]?.isCertain == false { pairs[pair] = nil }
  }

  /// What is suspected now; nil: nothing.
  func suspicion(of client: IPAddress?, for host: Host, at now: UInt64) -> PinningSuspicion? {
    guard let since = pairs[Pair(client: client, host: host)]?.suspectedSince, Self.age(since, now) <= Self.term else {
      return nil
    }
    guard let manner = clients[client] else { return .unclear }
    if let accepted = manner.accepted, Self.age(accepted, now) <= Self.term { return .pinned }
    let refusedCount = manner.refused.values.count { Self.age($0, now) <= Self.term }
    return manner.knowsNoAuthority || refusedCount > 1 ? .untrustedAuthority : .unclear
  }

  private mutating func note(
    _ rejection: CertificateRejection, by client: IPAddress?, for host: Host, at now: UInt64
  ) {
    if clients[client] == nil { makeRoomForClient() }
    var manner = clients[client] ?? Manner()
    if manner.refused[host] != nil || manner.refused.count < Self.refusedHostLimit { manner.refused[host] = now }
    if rejection == .alert(TLSAlert.unknownCA) { manner.knowsNoAuthority = true }
    manner.last = now
    clients[client] = manner
  }

  /// Loops read their clock once a turn, so that of one may be a little behind a moment that another has noted.
  private static func age(_ moment: UInt64, _ now: UInt64) -> UInt64 { now > moment ? now - moment : 0 }

  private mutating func makeRoomForPair(at now: UInt64) {
    guard pairs.count >= Self.pairLimit else { return }
    pairs = pairs.filter { Self.age($0.value.last, now) <= Self.term }
    guard pairs.count >= Self.pairLimit, let oldest = pairs.min(by: { $0.value.last < $1.value.last }) else { return }
    pairs[oldest.key] = nil
  }

  private mutating func makeRoomForClient() {
    guard clients.count >= Self.clientLimit, let oldest = clients.min(by: { $0.value.last < $1.value.last }) else {
      return
    }
    clients[oldest.key] = nil
  }
}
