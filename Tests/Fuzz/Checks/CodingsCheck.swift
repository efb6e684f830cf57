import Bytes
import Codings

/// Content codings and charsets. The first byte says which, the second how the rest is cut.
enum CodingsCheck {
  /// A body that expands further is not followed.
  private static let totalLimit = 1 << 20

  private struct Outcome: Equatable {
    var bytes: [UInt8] = []
    var isComplete = false
    var isCorrupt = false
  }

  @Sendable static func run(_ bytes: [UInt8]) throws(Complaint) {
    var dice = Dice(bytes)
    let coding = dice.element(of: ContentCoding.allCases)
    let size = Int(dice.byte()) % 17 + 1
    let body = dice.bytes(bytes.count)
    let whole = try decode(body, coding, size: body.count + 1)
    let pieces = try decode(body, coding, size: size)
    // How much a library says before it finds a fault depends on how it was fed.
    try claim(whole.isCorrupt == pieces.isCorrupt, "\(coding) is corrupt only in pieces of \(size), or only as a whole")
    if !whole.isCorrupt { try claim(whole == pieces, "\(coding) is something else in pieces of \(size)") }
    let shown = DecodedBody(body, contentEncoding: coding.rawValue, limit: 100)
    try claim(shown.bytes.count <= 100, "more is shown than was wanted")
    try charsets(body)
  }

  private static func decode(_ body: [UInt8], _ coding: ContentCoding, size: Int) throws(Complaint) -> Outcome {
    var outcome = Outcome()
    guard let decoder = try? ContentDecoder(coding) else { throw Complaint(description: "no decoder") }
    let input = ByteQueue()
    let output = ByteQueue()
    var rest = body[...]
    do {
      while !rest.isEmpty, outcome.bytes.count < totalLimit {
        input.append(Array(rest.prefix(size)))
        rest = rest.dropFirst(size)
        var progress = DecodingProgress.outputFull
        while progress == .outputFull, outcome.bytes.count < totalLimit {
          progress = try decoder.decode(input, into: output, limit: 4_000)
          try claim(output.count <= 4_000, "a call wrote \(output.count) bytes")
          outcome.bytes += Array(output.bytes)
          output.removeAll()
        }
      }
      outcome.isComplete = decoder.isComplete
    } catch let complaint as Complaint {
      throw complaint
    } catch {
      outcome.isCorrupt = true
    }
    if outcome.bytes.count >= totalLimit { outcome = Outcome() }
    return outcome
  }

  private static func charsets(_ bytes: [UInt8]) throws(Complaint) {
    for label in ["gbk", "gb18030", "big5", "shift_jis", "euc-jp", "euc-kr", "utf-16le", "windows-1258", "iso-2022-jp"]
    {
      guard let charset = Charset(label: label), let text = charset.decode(bytes) else { continue }
      try claim(text.utf8.count <= bytes.count * 8 + 64, "\(label) grew to \(text.utf8.count) bytes")
      _ = charset.encode(String(text.prefix(100)), substitute: .reference)
    }
    _ = Charset(mediaType: String(decoding: bytes.prefix(200), as: UTF8.self))
  }
}
