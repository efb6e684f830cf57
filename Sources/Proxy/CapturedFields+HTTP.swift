import Bytes
import HTTP
import Records

extension CapturedFields {
  /// The fields of a head as it was received.
  init(_ list: HeaderList) {
    self.init()
    reserve(fieldCount: list.count, byteCount: list.byteCount)
    list.forEach { _, name, value in append(name: name, value: value) }
  }

  /// The fields of a trailer section as it is passed on.
  init(trailers list: HeaderList) {
    self.init()
    list.forEachTrailer { name, value in append(name: name, value: value) }
  }

  /// The fields of a head that we wrote as HTTP/1.1: a line each, behind the status line and before an empty one.
  init(head: UnsafeRawBufferPointer) {
    self.init()
    reserve(fieldCount: 16, byteCount: head.count)
    var rest = head[...]
    guard let statusEnd = rest.firstIndex(of: UInt8(ascii: "\n")) else { return }
    rest = rest[(statusEnd + 1)...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      let line = rest[..<end].dropLast()
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return }
      append(
        name: UnsafeRawBufferPointer(rebasing: line[..<colon]),
        // Behind the colon we write one space.
        value: UnsafeRawBufferPointer(rebasing: line[(colon + 1)...].dropFirst()))
      rest = rest[(end + 1)...]
    }
  }
}

extension CapturedMessage {
  /// An answer of our own to something that was no exchange.
  init(_ fields: CapturedFields, of answer: OwnAnswer, hasBody: Bool, bodyLimit: Int) {
    let body = hasBody ? answer.body.bytes.prefix(bodyLimit) : answer.body.bytes.prefix(0)
    self.init(fields, body: Array(body), isTruncated: hasBody && body.count < answer.body.count)
  }
}
