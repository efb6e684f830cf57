import EventLoop
import HTTP
import Names
import Pictures
import Policy
import Records

/// Pictures on their way to clients without the origin: stored ones, and those that another exchange fetches.
extension Exchange {
  /// How much is handed on at once.
  private static let pieceByteCount = 32 << 10

  func serve(_ picture: StoredPicture) {
    guard let turn = self.picture else { return }
    let now = worker.loop.wallClock
    let answer = StoredAnswer(picture, to: turn.question, now: now)
    turn.cache.used(picture, at: now)
    let serving = PictureServing(answer)
    phase = .stored(serving)
    var head = answer.head
    if self.head.method == .head, answer.hasBody {
      head.fields.replace(.contentLength, with: "\(answer.range.count)")
      serving.offset = answer.range.upperBound
      beginServing(head, .none)
    } else {
      beginServing(head, answer.hasBody ? .length(UInt64(answer.range.count)) : .none)
    }
    pumpStored(serving)
  }

  private func beginServing(_ head: ResponseHead, _ framing: BodyFraming) {
    stream.disarm()
    spool = nil
    hasAnswered = true
    status = head.status
    response.isFromCache = true
    response.framing = framing == .none ? "none" : "length"
    capturingResponseHead {
      stream.writeHead(head, framing: framing, via: worker.shared.via[.http11], request: self.head)
    }
  }

  /// As much as the client takes.
  func pumpStored(_ serving: PictureServing) {
    let end = serving.answer.range.upperBound
    while serving.offset < end, !stream.isCongested {
      let next = min(end, serving.offset + Self.pieceByteCount)
      serving.answer.picture.body.withUnsafeBytes { write(UnsafeRawBufferPointer(rebasing: $0[serving.offset..<next])) }
      serving.offset = next
    }
    if serving.offset >= end { endServing() }
  }

  private func write(_ bytes: UnsafeRawBufferPointer) {
    response.byteCount += bytes.count
    captureResponseBody(bytes)
    stream.writeBody(bytes)
  }

  private func endServing() {
    stream.writeEnd(trailers: nil)
    finish()
    stream.exchangeEnded(keepsOpen: true)
  }

  // MARK: following

  /// Waits for what another exchange fetches.
  func follow(_ fetch: PictureFetch) {
    let following = PictureFollowing(fetch)
    phase = .following(following)
    stream.arm(.response)
    let me = LoopBound(self, on: worker.loop)
    following.follower = fetch.join { me.onLoop { $0.fetchMoved() } }
    fetchMoved()
  }

  /// There may be more to see of the fetch, or the client takes more.
  func fetchMoved() {
    guard case .following(let following) = phase, let turn = picture else { return }
    switch following.fetch.view(for: turn.question, isStreaming: following.offset != nil) {
    case .undecided: break
    case .unshared: stopFollowing(following)
    case .broken:
      note(.originClosed(host: target.host))
      cut(.internalError)
    case .stored(let picture):
      guard following.offset == nil else { return pump(following, byteCount: picture.body.count) }
      following.fetch.leave(following.follower)
      turn.cache.count(.coalesced)
      serve(picture)
    case .passing(let picture, let byteCount):
      if following.offset == nil { beginFollowing(following, picture, byteCount) }
      pump(following, byteCount: byteCount)
    }
  }

  private func beginFollowing(_ following: PictureFollowing, _ picture: StoredPicture, _ byteCount: Int) {
    guard let turn = self.picture else { return }
    following.offset = 0
    turn.cache.count(.coalesced)
    let answer = StoredAnswer(picture, to: turn.question, now: worker.loop.wallClock)
    beginServing(answer.head, .length(UInt64(byteCount)))
  }

  private func pump(_ following: PictureFollowing, byteCount: Int) {
    while let offset = following.offset, offset < byteCount, !stream.isCongested {
      let bytes = following.fetch.bytes(from: offset, limit: Self.pieceByteCount)
      guard !bytes.isEmpty else { return }
      bytes.withUnsafeBytes(write)
      following.offset = offset + bytes.count
    }
    guard following.offset == byteCount else { return }
    following.fetch.leave(following.follower)
    endServing()
  }

  /// The answer is not for others: the exchange asks for itself.
  private func stopFollowing(_ following: PictureFollowing) {
    guard let plan else { return }
    following.fetch.leave(following.follower)
    picture?.part = .alone
    phase = .new
    lease(plan)
  }
}
