import EventLoop

/// Counts wrong tokens by the address that they came from, so that nobody can try many. Bounded; confined to its owner.
struct FailureLimit {
  /// So many wrong ones within the window, and the address waits until the window is over.
  static let allowed = 10
  /// Nanoseconds.
  static let window: UInt64 = 60_000_000_000
  private static let addressLimit = 1_024

  /// Clients that count as one: an IPv4 address, an IPv6 network of 64 bits (one customer has at least that), or everybody who may
  /// use a socket file.
  struct Origin: Hashable {
    private let bytes: [UInt8]

    init(_ address: SocketAddress) {
      let ip = address.ipBytes ?? []
      bytes = ip.count == 16 ? Array(ip.prefix(8)) : ip
    }
  }

  private struct Entry {
    /// Monotonic nanoseconds.
    var began: UInt64
    var count: Int
  }

  private var entries: [Origin: Entry] = [:]

  /// How long this client's tokens are not looked at, in whole seconds; nil: they are.
  func delay(for origin: Origin, now: UInt64) -> Int? {
    guard let entry = entries[origin], entry.count >= Self.allowed, now < entry.began + Self.window else { return nil }
    return Int((entry.began + Self.window - now + 999_999_999) / 1_000_000_000)
  }

  /// Notes a wrong token. True: it was the last one that was allowed.
  mutating func failed(_ origin: Origin, now: UInt64) -> Bool {
    if let entry = entries[origin], now < entry.began + Self.window {
      entries[origin]?.count += 1
      return entry.count + 1 == Self.allowed
    }
    if entries.count >= Self.addressLimit { makeRoom(now: now) }
    entries[origin] = Entry(began: now, count: 1)
    return false
  }

  /// Forgets what is over; if nothing is, those with the fewest failures, so that a crowd of addresses cannot free one that waits.
  private mutating func makeRoom(now: UInt64) {
    entries = entries.filter { now < $0.value.began + Self.window }
    guard entries.count >= Self.addressLimit else { return }
    guard let least = entries.min(by: { ($0.value.count, $0.value.began) < ($1.value.count, $1.value.began) }) else {
      return
    }
    entries[least.key] = nil
  }
}
