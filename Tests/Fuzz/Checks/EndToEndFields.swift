import HTTP

/// The fields of a message that a proxy must hand on as they are, in their order: a reading of RFC 9110 7.6.1 that is independent
/// of the encoder's.
struct EndToEndFields: Equatable, CustomStringConvertible {
  private struct Field: Equatable {
    let name: String
    let value: [UInt8]
  }

  private static let ofOneHop: Set = [
    "connection", "content-length", "http2-settings", "keep-alive", "proxy-authenticate", "proxy-authentication-info",
    "proxy-authorization", "proxy-connection", "te", "transfer-encoding", "upgrade",
  ]
  /// What Connection cannot mark, lest a client takes it from under the proxy's judgement.
  private static let unmarkable: Set = [
    "cache-control", "content-encoding", "content-range", "content-type", "expect", "host", "trailer", "via",
  ]

  private let fields: [Field]

  init(_ list: HeaderList, but left: Set<String> = []) {
    let all = (0..<list.count).map { list[$0] }
    let marked = all.filter { String(decoding: $0.name, as: UTF8.self).lowercased() == "connection" }
      .flatMap { $0.value.split(separator: UInt8(ascii: ",")) }
      .map { String(decoding: $0, as: UTF8.self).lowercased().trimmed }
    let hidden = Self.ofOneHop.union(Set(marked).subtracting(Self.unmarkable)).union(left)
    fields = all.map { Field(name: String(decoding: $0.name, as: UTF8.self), value: Array($0.value)) }
      .filter { !hidden.contains($0.name.lowercased()) }
  }

  var description: String {
    fields.map { "\($0.name): \(String(decoding: $0.value, as: UTF8.self))" }.joined(separator: " | ")
  }
}

extension String {
  /// Without the blanks at its ends.
  fileprivate var trimmed: String {
    let isBlank = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    var rest = Substring(self).utf8
    while let first = rest.first, isBlank(first) { rest.removeFirst() }
    while let last = rest.last, isBlank(last) { rest.removeLast() }
    return String(Substring(rest))
  }
}
