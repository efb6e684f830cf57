import Bytes
import Database
import Policy

/// An exchange on its way into the store: the long columns lie in a queue of bytes, from which SQLite takes them without a copy.
struct ExchangeRow {
  private let exchange: RecordedExchange
  private let search: Range<Int>
  private let record: Range<Int>
  private let request: Range<Int>?
  private let response: Range<Int>?

  /// - Parameter room: takes the bytes; emptied before.
  init(_ exchange: RecordedExchange, in room: ByteQueue) {
    self.exchange = exchange
    room.removeAll()
    search = Self.part(of: room) { Self.appendSearchText(exchange.record, to: room) }
    record = Self.part(of: room) { RecordText(format: .json).appendObject(exchange.record, to: room) }
    request = exchange.request.map { message in Self.part(of: room) { MessageCoding.append(message, to: room) } }
    response = exchange.response.map { message in Self.part(of: room) { MessageCoding.append(message, to: room) } }
  }

  /// Binds all columns of `HistorySchema.insertion`; the room stays as it is until the statement is reset.
  func bind(to statement: Statement, from room: ByteQueue) throws(DatabaseFault) {
    let facts = exchange.record
    let (url, client) = (facts.url.endpoint, EndpointText(facts.client[...]))
    try statement.bind(1, Int64(bitPattern: facts.identifier))
    try statement.bind(2, facts.started)
    try statement.bind(3, facts.status.map { Int64($0) })
    try statement.bind(4, facts.failure == nil ? 0 : 1)
    try statement.bind(5, facts.action.rawValue)
    try statement.bind(6, facts.ats.outcome.rawValue)
    try statement.bind(7, facts.lane)
    try statement.bind(8, String(url.host))
    try statement.bind(9, url.port.map { Int64($0) })
    try statement.bind(10, String(client.host))
    try statement.bind(11, client.port.map { Int64($0) })
    let bytes = room.bytes
    try statement.bind(12, borrowedText: UnsafeRawBufferPointer(rebasing: bytes[search]))
    try statement.bind(13, borrowedText: UnsafeRawBufferPointer(rebasing: bytes[record]))
    try statement.bind(14, borrowedBytes: request.map { UnsafeRawBufferPointer(rebasing: bytes[$0]) })
    try statement.bind(15, borrowedBytes: response.map { UnsafeRawBufferPointer(rebasing: bytes[$0]) })
  }

  private static func part(of room: ByteQueue, _ write: () -> Void) -> Range<Int> {
    let start = room.count
    write()
    return start..<room.count
  }

  // MARK: text that is searched

  /// URL and detail of the failure, in lower case. Not the record, whose member names everybody would find.
  private static func appendSearchText(_ record: ExchangeRecord, to out: ByteQueue) {
    if !record.url.scheme.isEmpty {
      appendFolded(record.url.scheme, to: out)
      out.append("://")
      appendFolded(record.url.authority, to: out)
    }
    record.url.path.withUnsafeBytes { appendFolded($0, to: out) }
    guard let failure = record.failure else { return }
    out.append("\n")
    appendFolded(failure.detail, to: out)
  }

  private static func appendFolded(_ text: String, to out: ByteQueue) {
    var text = text
    text.withUTF8 { appendFolded(UnsafeRawBufferPointer($0), to: out) }
  }

  /// Text that is not ASCII is repaired on the way, since SQLite is to see UTF-8 only.
  private static func appendFolded(_ bytes: UnsafeRawBufferPointer, to out: ByteQueue) {
    guard bytes.allSatisfy({ $0 < 0x80 && $0 != 0 }) else {
      return out.append(ExchangeQuery.folded(String(decoding: bytes, as: UTF8.self)))
    }
    out.append(upTo: bytes.count) { room in
      for (index, byte) in bytes.enumerated() {
        room[index] = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
      }
      return bytes.count
    }
  }
}

extension ExchangeQuery {
  /// The form in which texts are compared: lower case, without NUL, at which SQLite would end.
  static func folded(_ text: String) -> String {
    String(text.lowercased().filter { $0 != "\0" })
  }
}
