import Bytes
import Codings
import HTML
import HTTP

/// A page on its way to a client, whose pictures are to be loaded ahead. Reads what the origin sends; the page itself is left to others.
/// A value of its exchange.
struct PictureScout {
  /// How the bytes of the page can be read.
  private enum Reading {
    case plain
    /// With bytes that wait until others had their turn.
    case coded(ContentDecoder, input: ByteQueue)
    /// Nothing of what follows is looked at.
    case over
  }

  private var reading: Reading
  private var reader: ImageReferences
  private var references: [String] = []
  /// How many bytes of the page, with its coding undone, may yet be looked at.
  private var room: Int
  /// Whether there is more to look at without further bytes.
  private(set) var isBehind = false

  /// More of one page are not loaded ahead.
  private static let referenceLimit = 256
  /// What stands farther behind in a page is not looked for, so that one that expands a thousandfold costs little.
  static let byteLimit = 2 << 20
  /// How much is decoded at a time, and how often before others have their turn.
  private static let pieceByteCount = 32 << 10
  private static let piecesAtOnce = 4

  /// nil: the answer is no page, or in a coding that is unknown here, or in several.
  init?(_ head: ResponseHead, byteLimit: Int = Self.byteLimit) {
    let type = head.fields.first(.contentType)?.lowercased() ?? ""
    let isXML = type.hasPrefix("application/xhtml+xml")
    guard isXML || type.hasPrefix("text/html"), let reading = Self.reading(head) else { return nil }
    self.reading = reading
    reader = ImageReferences(syntax: isXML ? .xml : .html)
    room = byteLimit
  }

  private static func reading(_ head: ResponseHead) -> Reading? {
    let codings = head.fields.values(.contentEncoding).flatMap { $0.split(separator: ",") }
      .map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }.filter { !$0.isEmpty && $0 != "identity" }
    guard let token = codings.first else { return .plain }
    guard codings.count == 1, let coding = ContentCoding(token: token), let decoder = try? ContentDecoder(coding)
    else { return nil }
    return .coded(decoder, input: ByteQueue())
  }

  /// The next bytes from the origin.
  mutating func scan(_ bytes: UnsafeRawBufferPointer) {
    switch reading {
    case .plain: look(UnsafeRawBufferPointer(rebasing: bytes.prefix(room)))
    case .coded(_, let input):
      input.append(bytes)
      readOn()
    case .over: return
    }
    endIfFull()
  }

  /// Looks at a part of what waits, as long as the page `isBehind`.
  mutating func readOn() {
    guard case .coded(let decoder, let input) = reading else { return }
    let decoded = ByteQueue()
    do throws(CodingFault) {
      var count = 0
      repeat {
        let progress = try decoder.decode(input, into: decoded, limit: min(room, Self.pieceByteCount))
        look(decoded.bytes)
        decoded.removeAll()
        isBehind = progress == .outputFull
        count += 1
      } while isBehind && room > 0 && count < Self.piecesAtOnce
    } catch {
      giveUp()
    }
    endIfFull()
  }

  private mutating func endIfFull() {
    if room == 0 || references.count >= Self.referenceLimit { end() }
  }

  private mutating func end() {
    reading = .over
    isBehind = false
  }

  private mutating func look(_ bytes: UnsafeRawBufferPointer) {
    room -= bytes.count
    var found: [String] = []
    reader.scan(bytes) { found.append($0) }
    references += found.prefix(Self.referenceLimit - references.count)
  }

  /// The bytes are not what their head says: nothing that they seem to name is asked for.
  private mutating func giveUp() {
    end()
    references = []
  }

  /// The page is through, and not behind: what it names. Nothing if its coded bytes end too early.
  /// - Parameter page: its URL.
  mutating func finish(_ page: String) -> [String] {
    if case .coded(let decoder, _) = reading, !decoder.isComplete { giveUp() }
    let base = reader.base.flatMap { URLReference.resolve(URLReference.encoded($0), against: page) } ?? page
    var seen: Set<String> = []
    return references.compactMap { reference in
      URLReference.resolve(URLReference.encoded(reference), against: base).flatMap {
        seen.insert($0).inserted ? $0 : nil
      }
    }
  }
}
