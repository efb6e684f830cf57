import Glibc
import Synchronization

/// The keys of the tickets that a server context gives to devices. A new one is made every hour; the ones before it still open
/// tickets until the last that they sealed has expired, so that whoever learns a key reads three hours of resumed sessions at most.
/// Safe on any thread.
final class TicketKeys: Sendable {
  struct Key: Sendable {
    /// By which a ticket tells its key; 16 bytes.
    let name = RandomBytes.make(16)
    /// For AES-256-CBC and HMAC-SHA-256.
    let cipherKey = RandomBytes.make(32)
    let macKey = RandomBytes.make(32)
    /// Seconds since 1970.
    let made: Int64
  }

  enum Opening { case current(Key), former(Key) }

  /// How long tickets are made with one key, in seconds.
  static let term: Int64 = 3_600
  /// How long a ticket is good, in seconds; the context holds sessions to it.
  static let ticketLifetime: Int64 = 7_200

  /// The newest first.
  private let keys = Mutex<[Key]>([])
  private let now: @Sendable () -> Int64

  /// - Parameter now: seconds since 1970.
  init(now: @escaping @Sendable () -> Int64 = { Int64(time(nil)) }) {
    self.now = now
  }

  /// The key for a new ticket.
  func sealing() -> Key {
    let now = now()
    return keys.withLock { keys in
      // A clock that was set back must not keep a key for ever.
      if let newest = keys.first, (0..<Self.term).contains(now - newest.made) { return newest }
      keys.removeAll { !(0..<Self.term + Self.ticketLifetime).contains(now - $0.made) }
      let made = Key(made: now)
      keys.insert(made, at: 0)
      return made
    }
  }

  /// The key of a ticket that came back; nil: it is not known (any more).
  func opening(_ name: UnsafeRawBufferPointer) -> Opening? {
    let now = now()
    return keys.withLock { keys in
      guard let index = keys.firstIndex(where: { $0.name.elementsEqual(name) }) else { return nil }
      let age = now - keys[index].made
      guard (0..<Self.term + Self.ticketLifetime).contains(age) else { return nil }
      return index == 0 && age < Self.term ? .current(keys[index]) : .former(keys[index])
    }
  }
}
