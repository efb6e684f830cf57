import Bytes
import HTTP

/// One message as a decoder told it, for comparison.
struct Message: Equatable {
  var request: RequestHead?
  var response: ResponseHead?
  var framing = BodyFraming.none
  var body: [UInt8] = []
  var trailers: HeaderList?
  var isComplete = false
}

/// All that a decoder made of the bytes of a connection.
struct Transcript: Equatable {
  var messages: [Message] = []
  var fault: HTTPFault?
  var isClosed = false
  /// What is left in the queue.
  var rest: [UInt8] = []

  /// Feeds `pieces` to a request decoder as they would arrive; at most `bite` body bytes are taken at a time.
  static func requests(
    _ pieces: [ArraySlice<UInt8>], limits: HTTP1Limits = HTTP1Limits(), bite: Int = .max,
    stopAfter: (Message) -> Bool = { _ in false }
  ) -> Transcript {
    var transcript = Transcript()
    let queue = ByteQueue()
    var decoder = HTTP1RequestDecoder(limits: limits)
    var isStopped = false
    /// Whether to ask again before more bytes come.
    func note(_ event: HTTP1RequestDecoder.Event) -> Bool {
      switch event {
      case .needMore: return false
      case .closed: transcript.isClosed = true
      case .head(let head, let framing): transcript.messages.append(Message(request: head, framing: framing))
      case .body(let count):
        let taken = min(count, bite)
        transcript.last { $0.body += queue.bytes.prefix(taken) }
        queue.consume(taken)
        decoder.consumed(taken)
      case .trailers(let fields): transcript.last { $0.trailers = fields }
      case .end:
        transcript.last { $0.isComplete = true }
        isStopped = transcript.messages.last.map(stopAfter) ?? false
      }
      return !isStopped && !transcript.isClosed
    }
    do throws(HTTPFault) {
      for piece in pieces {
        queue.append(Array(piece))
        while !isStopped, note(try decoder.next(queue)) {}
      }
      while !isStopped, note(try decoder.inputEnded(queue)) {}
    } catch {
      transcript.fault = error
    }
    transcript.rest = Array(queue.bytes)
    return transcript
  }

  /// The same with a response decoder, that expects a response to each of `methods` and then no more.
  static func responses(
    _ pieces: [ArraySlice<UInt8>], to methods: [HTTPMethod], limits: HTTP1Limits = HTTP1Limits(), bite: Int = .max,
    stopAfter: (Message) -> Bool = { _ in false }
  ) -> Transcript {
    var transcript = Transcript()
    let queue = ByteQueue()
    var decoder = HTTP1ResponseDecoder(limits: limits)
    var methods = methods[...]
    var isStopped = false
    if let first = methods.popFirst() { decoder.expect(first) }
    func note(_ event: HTTP1ResponseDecoder.Event) -> Bool {
      switch event {
      case .needMore: return false
      case .closed: transcript.isClosed = true
      case .informational(let head): transcript.messages.append(Message(response: head, isComplete: true))
      case .head(let head, let framing): transcript.messages.append(Message(response: head, framing: framing))
      case .body(let count):
        let taken = min(count, bite)
        transcript.last { $0.body += queue.bytes.prefix(taken) }
        queue.consume(taken)
        decoder.consumed(taken)
      case .trailers(let fields): transcript.last { $0.trailers = fields }
      case .end:
        transcript.last { $0.isComplete = true }
        isStopped = transcript.messages.last.map(stopAfter) ?? false
        if let next = methods.popFirst() { decoder.expect(next) }
      }
      return !isStopped && !transcript.isClosed
    }
    do throws(HTTPFault) {
      for piece in pieces {
        queue.append(Array(piece))
        while !isStopped, note(try decoder.next(queue)) {}
      }
      while !isStopped, note(try decoder.inputEnded(queue)) {}
    } catch {
      transcript.fault = error
    }
    transcript.rest = Array(queue.bytes)
    return transcript
  }

  private mutating func last(_ change: (inout Message) -> Void) {
    guard var message = messages.popLast() else { return }
    change(&message)
    messages.append(message)
  }
}

/// Every way to cut `bytes` in two, all in one, and byte by byte.
func cuts(_ bytes: [UInt8]) -> [[ArraySlice<UInt8>]] {
  let twos = bytes.indices.map { [bytes[..<$0], bytes[$0...]] }
  return [[bytes[...]], bytes.indices.map { bytes[$0...$0] }] + twos
}

/// The bytes of a text whose characters are one byte each.
func latin1(_ text: String) -> [UInt8] {
  text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
}

func text(_ bytes: some Sequence<UInt8>) -> String {
  String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
}

func text(_ queue: ByteQueue) -> String {
  text(queue.bytes)
}

func fields(_ pairs: (String, String)...) -> HeaderList {
  var list = HeaderList()
  for pair in pairs { list.append(name: pair.0, value: pair.1) }
  return list
}
