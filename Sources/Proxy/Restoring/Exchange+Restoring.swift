import BodyHook
import Bytes
import Configuration
import EventLoop
import HTTP
import Names
import Records
import TLS

/// Bodies that the device lost, put back before the request goes on.
extension Exchange {
  /// How the body is framed that goes to the origin.
  var sentFraming: BodyFraming {
    restoring.body.map { .length(UInt64($0.bytes.count)) } ?? framing
  }

  var isHooked: Bool {
    connection.generation.hookedHosts?.contains(host: target.host, port: target.port) ?? false
  }

  private var limit: Int { connection.generation.configuration.bodies.hook.limit }

  private var owner: EnvelopeOwner {
    EnvelopeOwner(
      client: connection.clientAddress.map { "\($0)" } ?? connection.clientText, lane: connection.lane.name)
  }

  /// Takes a part of a body that the script sends ahead.
  func takeUpload() throws(EnvelopeFault) {
    let part = try UploadPart(restoring.channel?.fields ?? HookFields())
    try worker.shared.envelopes.put(
      part, of: owner, now: worker.loop.now, bounds: EnvelopeBounds(limit: limit), digest: Digest.sha256)
    EnvelopeSweep.begin(worker)
  }

  // MARK: the decision

  /// Looks for the body that belongs to this request, says what becomes of it, and has the request go on to `plan`.
  func restoreBody(_ plan: OriginPlan) {
    guard isHooked, let channel = restoring.channel, channel.fields.meta != nil || channel.identifier != nil else {
      return goOn(plan)
    }
    if let identifier = channel.identifier, isOnItsWay(identifier) { return lookLater(plan) }
    apply(channel)
    goOn(plan)
  }

  /// A page that is being left cannot wait until the parts of a body have arrived before it sends the request.
  private func isOnItsWay(_ identifier: EnvelopeID) -> Bool {
    guard restoring.lookCount < Self.lookLimit else { return false }
    return !worker.shared.envelopes.holds(identifier, of: owner)
  }

  private static let lookLimit = 40
  private static let lookInterval = Duration.milliseconds(50)

  private func lookLater(_ plan: OriginPlan) {
    restoring.lookCount += 1
    let timer =
      restoring.timer
      ?? Timer(loop: worker.loop) { [weak self] in
        guard let self, case .new = self.phase else { return }
        self.restoreBody(plan)
      }
    restoring.timer = timer
    timer.start(after: Self.lookInterval)
  }

  private func apply(_ channel: HookChannel) {
    restoring.timer = nil
    guard let envelope = envelope(channel) else { return }
    if let accept = envelope.meta.accept { changeHead { $0.fields.replace(.accept, with: accept) } }
    guard !envelope.meta.isOverLimit else {
      return warnOfLoss(
        "the body of \(envelope.meta.byteCount) bytes is larger than bodies.hook.limit, \(limit) bytes; the request goes on as it came"
      )
    }
    settle(envelope, isComplete: stream.hasReadRequest)
  }

  private func envelope(_ channel: HookChannel) -> Envelope? {
    do throws(EnvelopeFault) {
      if let identifier = channel.identifier { return try waitingEnvelope(identifier) }
      let meta = try EnvelopeMeta(channel.fields.meta ?? [])
      guard let bytes = Base64URL.decode(channel.fields.data ?? []) else {
        throw .malformed("the body is not base64url")
      }
      guard bytes.count <= limit else { throw .tooLarge }
      return try Envelope(meta: meta, bytes: bytes, digest: Digest.sha256)
    } catch {
      warnOfLoss(error.reason)
      return nil
    }
  }

  private func waitingEnvelope(_ identifier: EnvelopeID) throws(EnvelopeFault) -> Envelope {
    switch worker.shared.envelopes.take(identifier, of: owner, now: worker.loop.now) {
    case .envelope(let envelope): return envelope
    case .incomplete: throw .malformed("parts of the body have not come")
    case .unknown:
      throw .malformed("no body of that name waits here for this client: it is forged, too old, or was used too often")
    }
  }

  private func settle(_ envelope: Envelope, isComplete: Bool) {
    let verdict = Restoration(
      envelope.meta, method: head.method, framing: framing, isComplete: isComplete,
      receivedByteCount: request.byteCount)
    switch verdict {
    case .none: restoring.state = .none
    case .wait: restoring.state = .waiting(envelope)
    case .substitute, .compare:
      do throws(EnvelopeFault) {
        let body = try RestoredBody(
          envelope, for: head, to: "\(scheme.rawValue)://\(authority)", limit: limit)
        if verdict == .substitute { substitute(body) } else { compare(with: body) }
      } catch {
        restoring.state = .none
        warnOfLoss(error.reason)
      }
    }
  }

  private func substitute(_ body: RestoredBody) {
    restoring.state = .substituting(body, sentByteCount: 0)
    request.restoredByteCount = body.bytes.count
    request.isSuspectedStripped = false
    if let type = body.contentType { changeHead { $0.fields.replace(.contentType, with: type) } }
    body.bytes.withUnsafeBytes { captureRequestBody($0) }
  }

  private func compare(with body: RestoredBody) {
    restoring.state = .comparing(SHA256Stream(), expected: Digest.sha256(body.bytes))
  }

  private func changeHead(_ change: (inout RequestHead) -> Void) {
    var changed = restoring.head ?? head
    change(&changed)
    restoring.head = changed
  }

  // MARK: the request

  /// Whether the head can be sent: it is known whether there is a body.
  func settlesRestoring() -> Bool {
    if case .waiting(let envelope) = restoring.state { settle(envelope, isComplete: stream.hasReadRequest) }
    if let body = restoring.body { restoring.state = .substituting(body, sentByteCount: 0) }
    return !restoring.isWaiting
  }

  /// Sends as much of the restored body as the origin takes.
  func sendRestored() {
    while case .running(let origin) = phase, !hasSentRequest,
      case .substituting(let body, let sentByteCount) = restoring.state
    {
      guard sentByteCount < body.bytes.count else { return finishRequest(origin) }
      guard !origin.isCongested else {
        if !hasAnswered { stream.arm(.response) }
        return
      }
      let end = min(sentByteCount + Self.pieceByteCount, body.bytes.count)
      restoring.state = .substituting(body, sentByteCount: end)
      body.bytes.withUnsafeBytes { bytes in
        origin.sendBody(UnsafeRawBufferPointer(rebasing: bytes[sentByteCount..<end]), framing: sentFraming)
      }
    }
  }

  private static let pieceByteCount = 64 << 10

  /// A body arrives although the request carries one.
  func compareBody(_ bytes: UnsafeRawBufferPointer) {
    if case .comparing(let digest, _) = restoring.state { digest.update(bytes) }
  }

  /// The body that arrived is complete.
  func endComparing() {
    guard case .comparing(let digest, let expected) = restoring.state else { return }
    restoring.state = .none
    guard digest.finish() != expected else { return }
    worker.shared.log.write(
      LogEvent(
        .warning, "body-differs",
        [
          ("host", .text(target.host.text)), ("client", .text(connection.clientText)),
          (
            "detail",
            .text(
              "a body of \(request.byteCount) bytes arrived and was sent on; the page's script had sent another ahead")
          ),
        ]))
  }

  private func warnOfLoss(_ reason: String) {
    worker.shared.log.write(
      LogEvent(
        .warning, "body-not-restored",
        [
          ("host", .text(target.host.text)), ("client", .text(connection.clientText)), ("detail", .text(reason)),
        ]))
  }

  /// The digest of the body that was sent in place of the one that was lost.
  var restoredDigest: [UInt8]? {
    restoring.body.map { Digest.sha256($0.bytes) }
  }
}
