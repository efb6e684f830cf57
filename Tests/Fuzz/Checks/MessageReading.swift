import Bytes
import HTTP

/// One message as a decoder told it.
struct ReadMessage<Head: Equatable>: Equatable {
  let head: Head
  let framing: BodyFraming
  var body: [UInt8] = []
  var trailers: HeaderList?
  var isComplete = false
}

/// All that a decoder made of the bytes of a connection that ended with them.
struct MessageReading<Head: Equatable>: Equatable {
  var messages: [ReadMessage<Head>] = []
  var fault: HTTPFault?
  var rest = 0

  mutating func amendLast(_ change: (inout ReadMessage<Head>) -> Void) {
    guard var message = messages.popLast() else { return }
    change(&message)
    messages.append(message)
  }
}

/// At most so many steps may pass without an end: each takes a byte, or tells something.
private func stepLimit(_ count: Int) -> Int { 8 * count + 64 }

extension MessageReading<RequestHead> {
  /// Reads requests that arrive in pieces of `piece` bytes, taking at most `bite` body bytes at a time.
  init(_ bytes: [UInt8], piece: Int = .max, bite: Int = .max) throws(Complaint) {
    let queue = ByteQueue()
    var decoder = HTTP1RequestDecoder()
    var rest = bytes[...]
    var steps = 0
    do throws(HTTPFault) {
      while true {
        steps += 1
        guard steps <= stepLimit(bytes.count) else { break }
        var event = try decoder.next(queue)
        if event == .needMore {
          guard rest.isEmpty else {
            queue.append(Array(rest.prefix(piece)))
            rest = rest.dropFirst(piece)
            continue
          }
          event = try decoder.inputEnded(queue)
        }
        switch event {
        case .needMore, .closed:
          self.rest = queue.count + rest.count
          return
        case .head(let head, let framing): messages.append(ReadMessage(head: head, framing: framing))
        case .body(let count):
          let taken = min(count, bite)
          amendLast { $0.body += queue.bytes.prefix(taken) }
          queue.consume(taken)
          decoder.consumed(taken)
        case .trailers(let fields): amendLast { $0.trailers = fields }
        case .end: amendLast { $0.isComplete = true }
        }
      }
    } catch {
      fault = error
      return
    }
    throw Complaint(description: "the decoder does not come to an end")
  }
}

extension MessageReading<ResponseHead> {
  /// Reads the responses to requests with these methods.
  init(
    _ bytes: [UInt8], to methods: [HTTPMethod], piece: Int = .max, bite: Int = .max
  ) throws(Complaint) {
    let queue = ByteQueue()
    var decoder = HTTP1ResponseDecoder()
    var methods = methods[...]
    var rest = bytes[...]
    var steps = 0
    if let first = methods.popFirst() { decoder.expect(first) }
    do throws(HTTPFault) {
      while true {
        steps += 1
        guard steps <= stepLimit(bytes.count) else { break }
        var event = try decoder.next(queue)
        if event == .needMore {
          guard rest.isEmpty else {
            queue.append(Array(rest.prefix(piece)))
            rest = rest.dropFirst(piece)
            continue
          }
          event = try decoder.inputEnded(queue)
        }
        switch event {
        case .needMore, .closed:
          self.rest = queue.count + rest.count
          return
        case .informational(let head): messages.append(ReadMessage(head: head, framing: .none, isComplete: true))
        case .head(let head, let framing): messages.append(ReadMessage(head: head, framing: framing))
        case .body(let count):
          let taken = min(count, bite)
          amendLast { $0.body += queue.bytes.prefix(taken) }
          queue.consume(taken)
          decoder.consumed(taken)
        case .trailers(let fields): amendLast { $0.trailers = fields }
        case .end:
          amendLast { $0.isComplete = true }
          guard let next = methods.popFirst(), messages.last?.head.isUpgrade != true else {
            self.rest = queue.count + rest.count
            return
          }
          decoder.expect(next)
        }
      }
    } catch {
      fault = error
      return
    }
    throw Complaint(description: "the decoder does not come to an end")
  }
}
