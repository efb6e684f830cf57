import Bytes
import HTTP

/// One end of an HTTP/2 connection, which does what its script says and holds the session to its promises.
final class HTTP2Listener {
  /// What was told about one stream.
  private struct Heard {
    var method = HTTPMethod.get
    var request: HTTP2Request?
    var response: HTTP2Response?
    var informationalCount = 0
    var body: [UInt8] = []
    var owed = 0
    var trailers: HeaderList?
    var hasEnded = false
    var isOver = false
  }

  let session: HTTP2Session
  let out = ByteQueue()
  private var script: Dice
  private var heard: [Int32: Heard] = [:]
  private(set) var complaint: Complaint?
  private(set) var fault: HTTP2Fault?
  /// Whether this end was the one that ended the connection.
  private(set) var hasLeft = false
  /// Whether it did not even say so.
  private(set) var isGone = false
  private var written = 0
  /// All that was said, by the frames it holds.
  private(set) var spoken: [UInt8] = []
  /// Time stands still, so that all counts of the guards are of the whole talk.
  private let now: UInt64 = 0

  private static let outLimit = 64 << 10
  /// A frame with its head.
  private static let frameCount = 9 + 16 << 10
  private static let chunk = [UInt8](repeating: UInt8(ascii: "."), count: 10_000)

  init(_ talk: HTTP2Talk) throws(HTTP2Fault) {
    var settings = HTTP2Settings()
    if talk.isTight {
      settings.streamCount = 4
      settings.resetCount = 5
      settings.settingsCount = 5
      settings.pingCount = 5
      settings.emptyFrameCount = 10
      settings.informationalCount = 2
      settings.continuationCount = 2
      settings.headByteCount = 400
      settings.fieldCount = 6
      settings.streamWindow = 100
      settings.connectionWindow = 70_000
      settings.streamHighMark = 1_000
    }
    script = talk.script
    session = try HTTP2Session(role: talk.isClient ? .client : .server, settings: settings)
    session.delegate = self
    if talk.isClient { for _ in 0...script.byte() & 7 { ask() } }
  }

  func object(_ text: @autoclosure () -> String, unless condition: Bool) {
    if !condition, complaint == nil { complaint = Complaint(description: text()) }
  }

  // MARK: turns

  /// Hears a piece, whose length the script says, and does something.
  func hear(_ rest: inout ArraySlice<UInt8>) {
    let piece = rest.prefix(script.element(of: [1 << 14, 1, 9, 100, 1_000]))
    rest = rest.dropFirst(piece.count)
    piece.withUnsafeBytes { session.receive($0, now: now) }
    act()
    look()
  }

  private func act() {
    let stream = Int32(script.byte() & 0x0F)
    switch script.byte() & 0x0F {
    case 1: break
    case 2: flush(limit: 1)
    case 3: giveBack(stream, all: true)
    case 4: write(stream)
    case 5: session.end(stream, trailers: fields([("x-trailer", "1"), ("content-length", "2")]))
    case 6: reset(stream)
    case 7: session.discardRequest(stream)
    case 8: session.ping(1)
    case 9: session.drain()
    case 10: leave { session.close(.noError) }
    case 11:
      isGone = true
      leave { session.abandon() }
    case 12: answer(stream)
    case 13: ask()
    default: flush(limit: Self.outLimit)
    }
  }

  private func look() {
    let settings = session.settings
    if session.role == .server {
      object(
        "\(session.openStreamCount) streams of \(settings.streamCount)",
        unless: session.openStreamCount <= settings.streamCount)
    }
    object("\(out.count) bytes to be sent", unless: out.count < Self.outLimit + Self.frameCount)
    let owed = heard.values.reduce(0) { $0 + $1.owed }
    object("\(owed) bytes came without a window", unless: owed <= max(settings.connectionWindow, 65_535))
    for (id, stream) in heard {
      object("\(stream.owed) bytes came on stream \(id)", unless: stream.owed <= max(settings.streamWindow, 65_535))
      object(
        "\(session.waitingByteCount(id)) bytes wait on stream \(id)",
        unless: session.waitingByteCount(id) < settings.streamHighMark + Self.chunk.count)
    }
  }

  private func flush(limit: Int) {
    session.flush(into: out, limit: min(out.count + limit, Self.outLimit), now: now)
    // The peer reads only then.
    if out.count > Self.outLimit / 2 { read() }
  }

  private func read() {
    spoken += out.bytes
    out.removeAll()
  }

  /// All that there is to be said.
  func finish() {
    for _ in 0..<10_000 where session.wantsWrite {
      read()
      session.flush(into: out, limit: Self.outLimit, now: now)
      look()
    }
    read()
    object("the session never ends to speak", unless: !session.wantsWrite)
    object("a connection that failed goes on", unless: fault == nil || session.isClosed)
  }

  func close() {
    let isKnown = heard.filter { !$0.value.isOver }.map(\.key)
    session.abandon()
    for id in isKnown { object("stream \(id) never ended", unless: heard[id]?.isOver == true) }
    session.delegate = nil
  }

  private func leave(_ body: () -> Void) {
    hasLeft = true
    body()
  }

  // MARK: doing

  private func fields(_ list: [(String, String)]) -> HeaderList {
    var fields = HeaderList()
    for (name, value) in list { fields.append(name: name, value: value) }
    return fields
  }

  private func ask() {
    let method = script.element(of: [HTTPMethod.get, .post, .head, .connect])
    guard session.role == .client, session.canOpenStream else { return }
    let head = RequestHead(method: method, target: "/", fields: fields([("cookie", "a=1"), ("te", "trailers")]))
    guard
      let id = try? session.submitRequest(
        head, scheme: "https", authority: "a.test:443", framing: method == .post ? .chunked : .none, via: "2 b")
    else { return }
    heard[id] = Heard(method: method)
  }

  private func answer(_ id: Int32) {
    guard session.role == .server else { return }
    switch script.byte() & 7 {
    case 0, 1: session.respond(ResponseHead(status: 204, fields: HeaderList()), framing: .none, via: nil, on: id)
    case 2: reset(id)
    case 3:
      session.discardRequest(id)
      session.respond(
        ResponseHead(status: 413, fields: HeaderList()), framing: .length(0), via: nil, on: id)
    case 4: session.inform(ResponseHead(status: 103, fields: fields([("link", "a")])), via: nil, on: id)
    case 5: break
    case 6:
      session.respond(ResponseHead(status: 200, fields: fields([("a", "b")])), framing: .chunked, via: "2 b", on: id)
      write(id)
      session.end(id, trailers: fields([("x-trailer", "1")]))
    default:
      session.respond(ResponseHead(status: 200, fields: HeaderList()), framing: .chunked, via: nil, on: id)
      for _ in 0..<8 { write(id) }
    }
  }

  private func write(_ id: Int32) {
    guard !session.isCongested(id), written < 1 << 20 else { return }
    written += Self.chunk.count
    Self.chunk.withUnsafeBytes { session.write($0, on: id) }
  }

  private func reset(_ id: Int32) {
    session.reset(id, .cancel)
    heard[id]?.isOver = true
    heard[id]?.owed = 0
  }

  private func giveBack(_ id: Int32, all: Bool) {
    guard let owed = heard[id]?.owed, owed > 0 else { return }
    let count = all ? owed : (owed + 1) / 2
    heard[id]?.owed -= count
    session.consume(count, on: id)
  }

  // MARK: hearing

  /// Changes what is known of a stream that must be there, and must not have ended.
  private func change(_ id: Int32, _ event: StaticString, _ body: (inout Heard) -> Void) {
    guard var stream = heard[id], !stream.isOver else {
      return object("stream \(id) is not there, but told: \(event)", unless: false)
    }
    body(&stream)
    heard[id] = stream
  }

  private func check(_ stream: Heard) {
    check { () throws(Complaint) in
      if let request = stream.request { try check(request, stream) }
      if let response = stream.response, response.framing != .untilClose, stream.method != .connect {
        let message = ReadMessage(
          head: response.head, framing: response.framing, body: stream.body, trailers: stream.trailers,
          isComplete: true)
        try check(message, to: stream.method)
      }
    }
  }

  private func check(_ body: () throws(Complaint) -> Void) {
    do throws(Complaint) { try body() } catch { if complaint == nil { complaint = error } }
  }

  /// A request can be passed on over HTTP/1.1, as the one that it is.
  private func check(_ request: HTTP2Request, _ stream: Heard) throws(Complaint) {
    var head = request.head
    if request.connectProtocol != nil { head.method = .get }
    let isTunnel = request.head.method == .connect
    try HTTP1RequestCheck.checkForwarded(
      ReadMessage(
        head: head, framing: request.framing, body: isTunnel ? [] : stream.body, trailers: stream.trailers,
        isComplete: true), upgrade: .removed)
  }

  private func check(_ message: ReadMessage<ResponseHead>, to method: HTTPMethod) throws(Complaint) {
    try HTTP1ResponseCheck.checkForwarded(message, to: method, client: .http11)
  }
}

extension HTTP2Listener: HTTP2SessionDelegate {
  func http2(_ session: HTTP2Session, stream: Int32, request: HTTP2Request) {
    object("stream \(stream) asks twice", unless: heard[stream] == nil && stream & 1 == 1)
    heard[stream] = Heard(request: request)
    // Whatever becomes of the body, the head alone must be one.
    var alone = Heard(request: request)
    if case .length(let count) = request.framing {
      guard count <= 10_000 else { return }
      alone.body = [UInt8](repeating: 0, count: Int(count))
    }
    check(alone)
    if script.byte() & 1 == 1 { answer(stream) }
  }

  func http2(_ session: HTTP2Session, stream: Int32, refused fault: HTTPFault) {
    object("stream \(stream) was taken, and refused", unless: heard[stream] == nil)
    if fault.kind == .tooLarge {
      heard[stream] = Heard()
      session.respond(ResponseHead(status: 431, fields: HeaderList()), framing: .length(0), via: nil, on: stream)
    }
  }

  func http2(_ session: HTTP2Session, stream: Int32, informational head: ResponseHead) {
    change(stream, "informational") { $0.informationalCount += 1 }
    object("not informational: \(head.status)", unless: head.isInformational && head.status != 101)
    object(
      "too many interim responses",
      unless: heard[stream]?.informationalCount ?? 0 <= session.settings.informationalCount)
    check { () throws(Complaint) in try check(ReadMessage(head: head, framing: .none, isComplete: true), to: .get) }
  }

  func http2(_ session: HTTP2Session, stream: Int32, response: HTTP2Response) {
    change(stream, "response") {
      object("a second response", unless: $0.response == nil)
      $0.response = response
    }
  }

  func http2(_ session: HTTP2Session, stream: Int32, body: UnsafeRawBufferPointer) {
    change(stream, "body") {
      object(
        "a body without a head, or behind its end", unless: ($0.request != nil || $0.response != nil) && !$0.hasEnded)
      object("an empty piece of a body", unless: !body.isEmpty)
      $0.body += body
      $0.owed += body.count
    }
    switch script.byte() & 7 {
    case 1: break
    case 2: giveBack(stream, all: false)
    case 3: reset(stream)
    case 4: answer(stream)
    default: giveBack(stream, all: true)
    }
  }

  func http2(_ session: HTTP2Session, stream: Int32, ended trailers: HeaderList?) {
    change(stream, "ended") {
      object("a second end", unless: !$0.hasEnded)
      $0.hasEnded = true
      $0.trailers = trailers
      check($0)
    }
    answer(stream)
  }

  func http2(_ session: HTTP2Session, drained stream: Int32) {
    change(stream, "drained") { _ in }
    object("drained, and congested", unless: !session.isCongested(stream))
    write(stream)
  }

  func http2(_ session: HTTP2Session, stream: Int32, closed end: HTTP2StreamEnd) {
    change(stream, "closed") {
      object("complete without an end", unless: end != .complete || $0.hasEnded || session.role == .server)
      $0.isOver = true
      $0.owed = 0
    }
  }

  func http2(_ session: HTTP2Session, failed fault: HTTP2Fault) {
    object("a second failure", unless: self.fault == nil)
    object("it failed while streams go on", unless: session.isIdle)
    self.fault = fault
  }
}
