import Bytes
import Codings
import HTML

/// Puts a script into a page that comes in pieces: right behind `<head…>`, or where the head would begin. Policies in the head that
/// forbid what the script does are adapted as those of the answer's head are; they do not rule the script itself, which stands before.
///
/// Everything else passes at once; only a tag that is not complete waits, with which a browser could not do anything either. The
/// script must not come before the doctype (quirks mode), a byte order mark (lost), or `<html>` and `<head>` (their attributes).
struct PageInserter {
  enum Stage {
    /// The first bytes may yet tell the encoding.
    case sniffing
    case searching
    /// Behind the script, where policies may stand.
    case head
    case done
  }

  let script: InjectedScript
  let syntax: TagScanner.Syntax
  private let declared: Charset?
  let policies: PolicyAdaptation
  var stage = Stage.sniffing
  private(set) var units = CodeUnits.bytes
  private(set) var scanner: TagScanner
  /// In XML there is one root, which is not ours.
  var isInsideRoot = false
  private let held = ByteQueue()
  /// How many code units of `held` the scanner has seen.
  private(set) var scanned = 0

  /// A longer tag does not wait for its end.
  private static let heldLimit = 64 << 10

  init(script: InjectedScript, syntax: TagScanner.Syntax, declared: Charset?, uploadURL: String) {
    self.script = script
    self.syntax = syntax
    self.declared = declared
    policies = PolicyAdaptation(hash: nil, uploadURL: uploadURL)
    scanner = TagScanner(syntax: syntax)
  }

  private var isDone: Bool {
    if case .done = stage { true } else { false }
  }

  /// The next bytes of the page.
  mutating func take(_ bytes: UnsafeRawBufferPointer, into output: ByteQueue) {
    if isDone { return output.append(bytes) }
    held.append(bytes)
    if case .sniffing = stage { sniff(output) }
    if case .sniffing = stage { return }
    search(output)
  }

  /// The page has ended.
  mutating func finish(into output: ByteQueue) {
    if case .sniffing = stage {
      settle(CodeUnits.sniff(held.bytes), output)
      search(output)
    }
    // A tag that was never finished is no tag.
    if case .searching = stage, syntax == .html, scanner.isInsideTag || scanner.isBetweenTokens { insert(output) }
    stage = .done
    held.move(held.count, to: output)
  }

  // MARK: the encoding

  private mutating func sniff(_ output: ByteQueue) {
    let found = CodeUnits.sniff(held.bytes)
    if found == nil, CodeUnits.mayBecomeSignature(held.bytes) { return }
    settle(found, output)
  }

  /// A byte order mark has precedence over the declaration, and the declaration over a guess.
  private mutating func settle(_ found: CodeUnits.Signature?, _ output: ByteQueue) {
    stage = .searching
    units = found?.units ?? .bytes
    if found?.isMark != true, let declared { units = CodeUnits(declared) }
    held.move(found?.markByteCount ?? 0, to: output)
  }

  // MARK: the place

  private mutating func search(_ output: ByteQueue) {
    let fresh = units.read(held.bytes, from: scanned)
    fresh.withUnsafeBytes { bytes in
      var position = 0
      while !isDone {
        let start = position
        let token = scanner.next(bytes, &position)
        scanned += position - start
        guard let token else { break }
        take(token, output)
      }
    }
    if isDone { held.move(held.count, to: output) } else { pass(output) }
  }

  /// What cannot be part of a tag goes on.
  private mutating func pass(_ output: ByteQueue) {
    move(scanned - (scanner.isInsideTag ? min(scanner.tokenByteCount, scanned) : 0), output)
    guard held.count > Self.heldLimit else { return }
    if case .searching = stage, syntax == .html { insert(output) }
    stage = .done
    held.move(held.count, to: output)
  }

  /// The first `count` code units that wait go on.
  mutating func move(_ count: Int, _ output: ByteQueue) {
    held.move(max(0, count) * units.width, to: output)
    scanned -= max(0, count)
  }

  /// The first `count` code units that wait are dropped.
  mutating func drop(_ count: Int) {
    held.consume(count * units.width)
    scanned -= count
  }
}
