import Bytes

/// Writes recorded exchanges as an HTTP Archive 1.2, one entry at a time: the document may be far larger than the memory.
///
/// Entries stand in the order in which the exchanges ended. Beside what HAR 1.2 asks for, each has what only a proxy knows, under
/// names that begin with an underscore, as HAR 1.2 wants it for additions.
public struct HARWriter: Sendable {
  /// Written in one piece, about.
  private static let pieceByteCount = 65_536

  private let creatorVersion: String

  /// - Parameter creatorVersion: of this program.
  public init(creatorVersion: String) {
    self.creatorVersion = creatorVersion
  }

  /// Writes all exchanges that fit, oldest first. Blocks: not for loops.
  /// - Parameter sink: takes the bytes in pieces, and may end it all by throwing.
  /// - Returns: how many entries there are.
  @discardableResult public func write(
    _ archive: any ExchangeArchive, _ query: ExchangeQuery, to sink: (UnsafeRawBufferPointer) throws -> Void
  ) throws -> Int {
    let out = ByteQueue()
    var count = 0
    writeHead(to: out)
    try archive.each(query) { exchange in
      guard let entry = HAREntry(exchange) else { return }
      out.append(count == 0 ? "\n" : ",\n")
      entry.write(to: out)
      count += 1
      guard out.count >= Self.pieceByteCount else { return }
      try sink(out.bytes)
      out.removeAll()
    }
    out.append("\n]}}\n")
    try sink(out.bytes)
    return count
  }

  private func writeHead(to out: ByteQueue) {
    out.append("{\"log\":{\"version\":\"1.2\",\"creator\":")
    var json = JSONText(into: out)
    json.beginObject()
    json.string("name", "pinwarden")
    json.string("version", creatorVersion)
    json.endObject()
    out.append(",\"entries\":[")
  }
}
