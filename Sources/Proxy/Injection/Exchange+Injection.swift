import BodyHook
import Bytes
import Codings
import EventLoop
import HTTP
import Names
import Policy
import Records

/// The script that pages and workers of hooked hosts get.
extension Exchange {
  /// How many pieces of a body are made before others have their turn: one may expand a thousandfold.
  private static let piecesAtOnce = 8

  /// The head of a request as its origin gets it: nothing is asked for that could not be changed.
  func preparingInjection(_ head: RequestHead) -> RequestHead {
    injecting = nil
    guard webSocket == nil, let scripts = connection.generation.scripts(host: target.host, port: target.port) else {
      return head
    }
    let request = InjectionRequest(head, scripts: scripts, origin: "\(scheme.rawValue)://\(authority)")
    let adapted = request.adapt(head)
    if request.kind != nil { injecting = Injecting(request: request, sent: adapted) }
    return adapted
  }

  /// The head of an answer as its client gets it, and how its body is framed.
  func beginInjection(_ head: ResponseHead, _ framing: BodyFraming) -> (ResponseHead, BodyFraming) {
    guard let injecting else { return (head, framing) }
    switch injecting.request.verdict(on: head, framing: framing, sent: injecting.sent) {
    case .inject(let plan):
      guard let body = try? InjectingBody(plan) else { break }
      self.injecting?.body = body
      return (injecting.request.adapt(head, plan), .chunked)
    case .confirm: return (injecting.request.adapt(confirming: head), framing)
    case .skip(let reason): warnOfSkipping(reason)
    case .pass: break
    }
    return (head, framing)
  }

  private func warnOfSkipping(_ reason: String) {
    worker.shared.warnOnce(
      LogEvent(
        .warning, "hook-skipped",
        [("host", .text(target.host.text)), ("detail", .text("a page gets no script that restores bodies: \(reason)"))]
      ), about: "\(target.host.text) \(reason)")
  }

  // MARK: the body

  /// Whether bytes of the answer wait to be changed: the origin is to wait with more.
  var isInjectionBehind: Bool { injecting?.body?.hasMore ?? false }

  /// Bytes of a body that gets the script.
  func inject(_ bytes: UnsafeRawBufferPointer, into body: InjectingBody) {
    body.receive(bytes)
    injectMore(into: body)
  }

  /// Makes what the client takes of what waits.
  private func injectMore(into body: InjectingBody) {
    let made = ByteQueue()
    for _ in 0..<Self.piecesAtOnce {
      guard injecting?.isBroken == false, body.hasMore, !stream.isCongested else { return }
      do throws(CodingFault) {
        try body.produce(into: made)
      } catch {
        injectionFailed(error)
      }
      if !made.isEmpty { passOn(made.bytes) }
      made.removeAll()
    }
    guard body.hasMore, injecting?.isScheduled == false else { return }
    injecting?.isScheduled = true
    worker.loop.performSoon { self.goOnInjecting() }
  }

  private func goOnInjecting() {
    injecting?.isScheduled = false
    guard hasInjected(), case .running(let origin) = phase else { return }
    origin.resume()
  }

  /// The client takes bytes again, or others had their turn.
  /// - Returns: whether nothing waits any more and the origin may go on.
  func hasInjected() -> Bool {
    guard let body = injecting?.body else { return true }
    if case .over = phase { return false }
    injectMore(into: body)
    guard !body.hasMore, injecting?.isBroken == false else { return false }
    guard let end = injecting?.end else { return true }
    injecting?.end = nil
    originEnded(trailers: end.trailers)
    return false
  }

  /// Not inside the call that brought the bytes: the origin's side is in the middle of it.
  private func injectionFailed(_ fault: CodingFault) {
    injecting?.isBroken = true
    note(.originSpokeNoHTTP(host: target.host, detail: "its body cannot be decoded: \(fault)"))
    worker.loop.performSoon { self.endBrokenInjection() }
  }

  private func endBrokenInjection() {
    if case .over = phase { return }
    cut(.internalError)
  }

  // MARK: the end

  /// The origin's answer has ended.
  /// - Returns: whether the client's may end too; else it ends later, or is cut.
  func endInjection(trailers: HeaderList?) -> Bool {
    guard let injecting, let body = injecting.body else { return true }
    // The origin's connection is with others already.
    phase = .new
    if injecting.isBroken { return false }
    if body.hasMore {
      self.injecting?.end = Injecting.End(trailers: trailers)
      return false
    }
    let made = ByteQueue()
    let isWhole = body.finish(into: made)
    if !made.isEmpty { passOn(made.bytes) }
    self.injecting?.body = nil
    guard !isWhole else { return true }
    note(.originSpokeNoHTTP(host: target.host, detail: "its body ends before its content coding does"))
    cut(.internalError)
    return false
  }
}

extension Generation {
  /// The script for a hooked host.
  fileprivate func scripts(host: Host, port: UInt16) -> InjectedScripts? {
    guard hookedHosts?.contains(host: host, port: port) == true else { return nil }
    return injectedScripts
  }
}
