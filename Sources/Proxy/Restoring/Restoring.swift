import BodyHook
import EventLoop
import HTTP
import TLS

/// What the body hook has to do with one exchange. Confined to its loop.
struct Restoring {
  enum State {
    /// The body that arrives is the body.
    case none
    /// Whether a body arrives shows only when its first byte or its end does; until then the head is not sent.
    case waiting(Envelope)
    /// Nothing arrived: these bytes are sent in its place.
    case substituting(RestoredBody, sentByteCount: Int)
    /// A body arrives and is passed on; `expected` is the digest of the envelope's.
    case comparing(SHA256Stream, expected: [UInt8])
  }

  /// What the request carried; taken out of it before anything else saw it.
  let channel: HookChannel?
  var state = State.none
  /// The head as it is sent; nil: the request's own.
  var head: RequestHead?
  /// Runs while the body may still be on its way.
  var timer: Timer?
  /// How often the body has been looked for.
  var lookCount = 0

  /// Takes the channel out of a request, wherever it goes, if there is some host whose bodies are restored.
  init(_ head: inout RequestHead, path: inout ArraySlice<UInt8>, for generation: Generation) {
    channel = generation.hookedHosts == nil ? nil : HookChannel.take(from: &head, path: &path)
  }

  /// The body that is sent in place of the one that was lost.
  var body: RestoredBody? {
    if case .substituting(let body, _) = state { body } else { nil }
  }

  var isWaiting: Bool {
    if case .waiting = state { true } else { false }
  }
}
