/// The phases of an exchange as HAR counts them, in microseconds; nil: not known, or it did not happen. Their sum is the entry's time.
struct HARTimings: Equatable {
  var blocked: Int?
  var dns: Int?
  /// With `tls` in it.
  var connect: Int?
  var tls: Int?
  /// The proxy sends while it receives, and keeps no time of it.
  let send = 0
  var wait = 0
  var receive = 0
  /// The connection was begun before the request came, as it is at a CONNECT: its phases are not the request's.
  var isConnectedAhead = false

  init(_ timing: RecordFacts.Timing?) {
    let total = Self.microseconds(timing?.total) ?? 0
    let queued = Self.microseconds(timing?.queued)
    if let queued { addConnection(timing, queued: min(queued, total)) }
    let rest = max(0, total - min(queued ?? 0, total))
    wait = min(Self.microseconds(timing?.firstByte) ?? rest, rest)
    receive = rest - wait
  }

  /// What of the time before the request could be sent went into which phase.
  private mutating func addConnection(_ timing: RecordFacts.Timing?, queued: Int) {
    let (name, tcp) = (Self.microseconds(timing?.dns), Self.microseconds(timing?.connect))
    let secure = Self.microseconds(timing?.tls)
    let phases = (name ?? 0) + (tcp ?? 0) + (secure ?? 0)
    guard phases <= queued else {
      isConnectedAhead = true
      blocked = queued
      return
    }
    blocked = queued - phases
    dns = name
    tls = secure
    connect = tcp == nil && secure == nil ? nil : (tcp ?? 0) + (secure ?? 0)
  }

  var total: Int { (blocked ?? 0) + (dns ?? 0) + (connect ?? 0) + send + wait + receive }

  /// nil for what is no time at all.
  private static func microseconds(_ milliseconds: Double?) -> Int? {
    guard let milliseconds, milliseconds.isFinite, milliseconds >= 0 else { return nil }
    return Int(min(milliseconds, 1e12) * 1_000 + 0.5)
  }
}

extension JSONText {
  /// Milliseconds with three decimals; -1 for what is not known, as HAR wants it.
  mutating func harTime(_ key: StaticString, _ microseconds: Int?) {
    guard let microseconds else { return integer(key, -1) }
    milliseconds(key, nanoseconds: UInt64(max(0, microseconds)) * 1_000)
  }
}
