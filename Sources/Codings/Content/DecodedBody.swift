import Bytes

/// A body with its content codings undone, for people to look at: bounded, and tolerant of a copy that was cut.
public struct DecodedBody: Equatable, Sendable {
  /// Why the bytes are not the whole body.
  public enum Gap: Equatable, Sendable {
    /// More follows than was asked for.
    case limit
    /// The coded bytes end too early.
    case cut
    case corrupt(ContentCoding)
    /// A coding that is unknown here; nothing was decoded.
    case unknown(coding: String)
  }

  /// What could be decoded, in order and without a hole.
  public let bytes: [UInt8]
  /// nil: `bytes` are the body, to its end.
  public let gap: Gap?

  private static let codingLimit = 4

  /// - Parameters:
  ///   - body: the bytes as they are on the wire.
  ///   - contentEncoding: all values of `Content-Encoding` with commas between them; the last member was applied last.
  ///   - limit: how many bytes are wanted, at most.
  public init(_ body: [UInt8], contentEncoding: String, limit: Int) {
    let tokens = contentEncoding.split(separator: ",").map { Self.trimmed($0) }
      .filter { !$0.isEmpty && $0.lowercased() != "identity" }
    var codings: [ContentCoding] = []
    for token in tokens {
      guard let coding = ContentCoding(token: token), codings.count < Self.codingLimit else {
        self.init(bytes: [], gap: .unknown(coding: token))
        return
      }
      codings.append(coding)
    }
    self.init(body, codings: codings, limit: limit)
  }

  private init(bytes: [UInt8], gap: Gap?) {
    self.bytes = bytes
    self.gap = gap
  }

  private init(_ body: [UInt8], codings: [ContentCoding], limit: Int) {
    var bytes = body
    var gap: Gap?
    for coding in codings.reversed() {
      let (decoded, found) = Self.decode(bytes, coding, limit: limit)
      bytes = decoded
      gap = gap ?? found
    }
    if bytes.count > limit {
      bytes.removeLast(bytes.count - max(0, limit))
      gap = gap ?? .limit
    }
    self.init(bytes: bytes, gap: gap)
  }

  private static func decode(_ bytes: [UInt8], _ coding: ContentCoding, limit: Int) -> (bytes: [UInt8], gap: Gap?) {
    let input = ByteQueue()
    let output = ByteQueue()
    input.append(bytes)
    var gap: Gap?
    do throws(CodingFault) {
      let decoder = try ContentDecoder(coding)
      // One byte more tells whether the limit cut anything off.
      let progress = try decoder.decode(input, into: output, limit: max(0, limit) + 1)
      if progress == .needsInput, !decoder.isComplete { gap = .cut }
    } catch {
      gap = .corrupt(coding)
    }
    if output.count > limit { gap = gap ?? .limit }
    return (Array(output.bytes.prefix(max(0, limit))), gap)
  }

  private static func trimmed(_ text: Substring) -> String {
    var text = text
    while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
    while let last = text.last, last == " " || last == "\t" { text.removeLast() }
    return String(text)
  }
}
