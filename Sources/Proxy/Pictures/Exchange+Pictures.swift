import Configuration
import EventLoop
import HTTP
import Names
import Pictures
import Policy

/// What the cache of pictures does for an exchange, from its decision to the origin.
extension Exchange {
  /// Looks for a stored picture, and serves it or waits for whoever fetches it.
  /// - Returns: false: the origin is to be asked now.
  func beginPicture(_ plan: OriginPlan) -> Bool {
    guard let question = pictureQuestion(plan) else { return false }
    let cache = worker.shared.pictures
    picture = PictureTurn(cache: cache, question: question)
    guard head.method.isSafe else {
      picture?.part = .changing
      return false
    }
    guard question.method == .get || question.method == .head, question.isAnswerable else {
      picture = nil
      return false
    }
    switch cache.find(question) {
    case .picture(let found): return takeStored(found)
    case .nothing: return takeStored(nil)
    case .perhapsOnDisk:
      let me = LoopBound(self, on: worker.loop)
      cache.findOnDisk(question) { found in me.onLoop { $0.diskAnswered(found) } }
      return true
    }
  }

  /// nil: the request is none for the cache: only those are that ask a named host over https, verified, for something that looks like a
  /// picture.
  private func pictureQuestion(_ plan: OriginPlan) -> PictureQuestion? {
    let settings = connection.generation.configuration.pictures
    guard !settings.hosts.isEmpty, scheme == .https, webSocket == nil, plan.decision.action == .intercept,
      framing == .none || !head.method.isSafe, settings.names(target), settings.namesPicture(path)
    else { return nil }
    let url = "https://\(authority)\(String(decoding: path, as: UTF8.self))"
    return PictureQuestion(place: plan.picturePlace(url), method: head.method, fields: head.fields)
  }

  private func diskAnswered(_ found: StoredPicture?) {
    guard case .new = phase, !hasAnswered, let plan, picture != nil else { return }
    if !takeStored(found) { lease(plan) }
  }

  private func takeStored(_ found: StoredPicture?) -> Bool {
    guard let turn = picture else { return false }
    let now = worker.loop.wallClock
    if let found {
      switch found.use(for: turn.question.terms, now: now, turn.cache.freshness) {
      case .fresh: return serveFresh(found, turn)
      case .staleWhileRevalidating where !isWithoutClient:
        worker.loop.performSoon { self.worker.confirm(self) }
        return serveFresh(found, turn)
      case .stale, .staleWhileRevalidating: picture?.stored = found
      case .gone: break
      }
    }
    if turn.question.terms.isOnlyIfCached {
      refuse(.notStored(host: target.host))
      return true
    }
    turn.cache.count(.misses)
    return joinFetch(turn, now)
  }

  private func serveFresh(_ found: StoredPicture, _ turn: PictureTurn) -> Bool {
    if isWithoutClient {
      // Somebody else was faster, and there is nobody to serve.
      isRecorded = true
      finish()
      stream.exchangeEnded(keepsOpen: false)
    } else {
      turn.cache.count(.hits)
      serve(found)
    }
    return true
  }

  private func joinFetch(_ turn: PictureTurn, _ now: Int64) -> Bool {
    picture?.requested = now
    switch turn.cache.join(turn.question, now: now) {
    case .alone:
      picture?.part = .alone
      return false
    case .leader(let fetch):
      picture?.part = .leading(fetch)
      let isValidating = picture?.stored?.canBeValidated == true
      picture?.isValidating = isValidating
      let me = LoopBound(self, on: worker.loop)
      fetch.lead { me.onLoop { $0.clientDrained() } }
      return false
    case .follower(let fetch):
      follow(fetch)
      return true
    }
  }

  /// The request as the origin gets it: with the validators of what is stored.
  func pictureRequest(_ head: RequestHead) -> RequestHead {
    guard let picture, picture.isValidating, let stored = picture.stored else { return head }
    return picture.question.validating(stored, head)
  }

  // MARK: the end

  /// The exchange is over, however it ended: nobody waits for it in vain.
  func endPicture() {
    guard let turn = picture else { return }
    if case .leading(let fetch) = turn.part { turn.cache.broke(fetch) }
    picture = nil
  }

  /// The client has gone. What it asked for goes on if others wait for it.
  func goOnWithoutClient() -> Bool {
    guard let turn = picture, case .leading(let fetch) = turn.part, !isWithoutClient else { return false }
    switch phase {
    case .waiting, .running: break
    default: return false
    }
    let me = LoopBound(self, on: worker.loop)
    guard fetch.goOn(unless: { me.onLoop { $0.deserted() } }) else { return false }
    finishRecord()
    let client = AbsentClient(connection: connection, name: connection.clientText)
    client.attend(self)
    stream = .absent(client)
    if !hasAnswered { stream.arm(.response) }
    if case .running(let origin) = phase { origin.resume() }
    return true
  }

  var isWithoutClient: Bool { if case .absent = stream { true } else { false } }

  private func deserted() {
    if case .over = phase { return }
    leaveOrigin()
    finish()
    stream.exchangeEnded(keepsOpen: false)
  }
}

extension PictureSettings {
  /// Whether pictures of that host are kept.
  func names(_ target: HostPort) -> Bool {
    hosts.contains { $0.matches(host: target.host, port: target.port) }
  }

  /// Whether the path ends in one of `extensions`, compared whole and without case. With no extensions every path may be one of a picture,
  /// and the answer tells. A path that is not plain ASCII is no key.
  func namesPicture(_ path: ArraySlice<UInt8>) -> Bool {
    guard path.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "#") }) else { return false }
    if extensions.isEmpty { return true }
    let name = path.prefix { $0 != UInt8(ascii: "?") }
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return false }
    let ending = String(decoding: name[name.index(after: dot)...], as: UTF8.self).lowercased()
    return extensions.contains(ending)
  }
}

extension Refusal {
  /// The client wants nothing but what is stored (RFC 9111, section 5.2.1.7).
  fileprivate static func notStored(host: Host) -> Refusal {
    Refusal(
      status: 504, error: nil, proxyError: .httpRequestError, decidedBy: nil, title: "The picture is not stored",
      detail:
        "The request asks for a stored answer only (only-if-cached), and of this picture of \(host) there is none.")
  }
}
