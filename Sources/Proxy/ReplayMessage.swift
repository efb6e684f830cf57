import Bytes
import HTTP
import Records

/// A stored request in the form in which it is sent to the proxy once more: HTTP/1.1 with an absolute target. A value.
struct ReplayMessage: Sendable {
  let head: [UInt8]
  let body: [UInt8]

  /// A stored body is never larger (`bodies.capture`).
  private static let bodyLimit = 64 << 20

  init(_ request: ReplayRequest) throws(ReplayFault) {
    guard request.body.count <= Self.bodyLimit else { throw .invalid("its body is larger than 64 MiB") }
    guard let method = HTTPMethod(request.method) else { throw .invalid("\"\(request.method)\" is no method") }
    guard method != .connect else { throw .invalid("tunnels and WebSockets are not repeated") }
    guard request.url.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw .invalid("its URL holds a byte that no URL has")
    }
    let fields = try Self.fields(request.fields)
    let head = RequestHead(method: method, target: request.url, fields: fields)
    guard !head.asksForWebSocket(framing: .none) else { throw .invalid("tunnels and WebSockets are not repeated") }
    let queue = ByteQueue()
    HTTP1Encoder.writeRequest(
      head, host: try Self.authority(of: head),
      framing: Self.framing(of: head, bodyByteCount: request.body.count), via: nil,
      dropping: Self.dropped, into: queue)
    self.head = Array(queue.bytes)
    body = request.body
  }

  /// An interim answer that would have to be waited for.
  private static let dropped = FieldNameSet(["Expect"])

  private static func fields(_ captured: [CapturedMessage.Field]) throws(ReplayFault) -> HeaderList {
    var list = HeaderList()
    for field in captured where field.value != CapturedMessage.Field.redacted {
      guard list.append(name: field.name, value: field.value) else {
        throw .invalid("the field \"\(field.name)\" cannot be sent")
      }
    }
    return list
  }

  private static func authority(of head: RequestHead) throws(ReplayFault) -> String {
    do throws(HTTPFault) {
      if case .absolute(let target) = try head.requestTarget(), ["http", "https"].contains(target.scheme) {
        return target.authority
      }
    } catch {
      throw .invalid(error.reason)
    }
    throw .invalid("its URL is not one of http or https")
  }

  /// A request that announced an empty body announces it again.
  private static func framing(of head: RequestHead, bodyByteCount: Int) -> BodyFraming {
    let announces = head.fields.contains(.contentLength) || head.fields.contains(.transferEncoding)
    return bodyByteCount > 0 || announces ? .length(UInt64(bodyByteCount)) : .none
  }
}
