import Authority
import BodyHook
import EventLoop
import HTTP
import Names
import Pictures
import Records
import Synchronization
import TLS

/// What all loops of the daemon share. Immutable, or guarded.
final class Shared: Sendable {
  let log: Log
  /// Takes records beside the log; nil: nobody does.
  let recorder: (any ExchangeRecorder)?
  /// How many bytes of their messages the running exchanges of one loop may keep.
  let captureByteLimit: Int
  /// Answers for `pinwarden.internal`.
  let site: any InternalSite
  /// The name of this instance in `Via`, by which loops are found.
  let pseudonym: String
  let via: ViaMembers
  let pictures: PictureCache
  let pictureQueue = PictureQueue()
  let connectionCount = Atomic<Int>(0)
  let ownListeners = OwnListeners()
  let sentReports = SentReports()
  /// The identifier by which reports name this run of the daemon.
  let reportSender = UUIDText.random()
  let ownConnections = OwnConnections()
  /// Bodies that the script of the body hook sent ahead of their requests.
  let envelopes = EnvelopeStore()
  let isSweepingEnvelopes = Atomic<Bool>(false)
  private let warned = Mutex<Set<String>>([])
  private static let warnedLimit = 10_000

  init(
    log: Log, site: any InternalSite, recorder: (any ExchangeRecorder)?, captureByteLimit: Int, pictures: PictureCache
  ) {
    self.pictures = pictures
    self.log = log
    self.recorder = recorder
    self.captureByteLimit = captureByteLimit
    self.site = site
    pseudonym = "pinwarden-" + RandomBytes.make(4).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    via = ViaMembers(pseudonym: pseudonym)
  }

  /// Whether a target is the site for devices: its name, or in plain HTTP the listener of its own, so that a page which was opened there
  /// goes on working when its device begins to use the proxy.
  func isSite(_ target: HostPort, _ scheme: Scheme) -> Bool {
    if target.host.text == InternalHost.name { return true }
    guard scheme == .http, let ip = target.host.address, let address = SocketAddress(ip: ip.bytes, port: target.port)
    else { return false }
    return ownListeners.isSite(address)
  }

  /// Whether a Via field names this instance (RFC 9110, section 7.6.3).
  func hasPassedThisInstance(_ head: RequestHead) -> Bool {
    head.fields.contains(.via) && head.fields.values(.via).contains { $0.contains(pseudonym) }
  }

  /// An HTTP/2 client broke the protocol, or flooded it.
  func http2Failed(_ fault: HTTP2Fault, client: String, target: String) {
    log.write(
      LogEvent(
        fault.kind == .flood ? .warning : .info, "http2-failed",
        [
          ("client", .text(client)), ("target", .text(target)), ("code", .text("\(fault.code)")),
          ("reason", .text(fault.reason)),
        ]))
  }

  /// Writes a warning the first time that it comes up for `subject`. Bounded: when the memory is full it starts anew.
  func warnOnce(_ event: LogEvent, about subject: String) {
    let isNew = warned.withLock { known in
      if known.count >= Self.warnedLimit { known.removeAll() }
      return known.insert("\(event.name) \(subject)").inserted
    }
    if isNew { log.write(event) }
  }
}
