import Bytes
import Codings
import HTML

/// Puts a script into a page that comes in pieces: right behind `<head…>`, or where the head would begin.
///
/// Everything before that place passes at once; only a tag that is not complete waits, with which a browser could not do anything
/// either. The script must not come before the doctype (quirks mode), a byte order mark (lost), or `<html>` and `<head>` (their attributes).
struct PageInserter {
  private enum Stage {
    /// The first bytes may yet tell the encoding.
    case sniffing
    case searching
    case done
  }

  private let script: InjectedScript
  private let syntax: TagScanner.Syntax
  private let declared: Charset?
  private var stage = Stage.sniffing
  private var units = CodeUnits.bytes
  private var scanner: TagScanner
  /// In XML there is one root, which is not ours.
  private var isInsideRoot = false
  private let held = ByteQueue()
  /// How many code units of `held` the scanner has seen.
  private var scanned = 0

  /// A longer tag does not wait for its end.
  private static let heldLimit = 64 << 10

  init(script: InjectedScript, syntax: TagScanner.Syntax, declared: Charset?) {
    self.script = script
    self.syntax = syntax
    self.declared = declared
    scanner = TagScanner(syntax: syntax)
  }

  /// The next bytes of the page.
  mutating func take(_ bytes: UnsafeRawBufferPointer, into output: ByteQueue) {
    if case .done = stage { return output.append(bytes) }
    held.append(bytes)
    if case .sniffing = stage { sniff(output) }
    if case .searching = stage { search(output) }
  }

  /// The page has ended.
  mutating func finish(into output: ByteQueue) {
    if case .sniffing = stage { settle(CodeUnits.sniff(held.bytes), output) }
    if case .searching = stage { search(output) }
    if case .searching = stage {
      // A tag that was never finished is no tag.
      if syntax == .html, scanner.isInsideTag || scanner.isBetweenTokens { insert(output) }
      stage = .done
    }
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
    var position = 0
    fresh.withUnsafeBytes { bytes in
      while case .searching = stage, let token = scanner.next(bytes, &position) {
        switch Self.step(token, syntax, &isInsideRoot) {
        case .goOn: break
        case .insertBehind: place(scanned + position, output)
        case .insertBefore: place(scanned + position - scanner.tokenByteCount, output)
        case .giveUp: stage = .done
        }
      }
    }
    guard case .searching = stage else { return held.move(held.count, to: output) }
    scanned += position
    pass(output)
  }

  /// What cannot be part of a tag goes on.
  private mutating func pass(_ output: ByteQueue) {
    let waiting = scanner.isInsideTag ? min(scanner.tokenByteCount, scanned) : 0
    let count = scanned - waiting
    held.move(count * units.width, to: output)
    scanned -= count
    if held.count > Self.heldLimit {
      if syntax == .html { insert(output) }
      stage = .done
      held.move(held.count, to: output)
    }
  }

  private mutating func place(_ unit: Int, _ output: ByteQueue) {
    held.move(max(0, unit) * units.width, to: output)
    insert(output)
  }

  private mutating func insert(_ output: ByteQueue) {
    stage = .done
    output.append(units.write(Self.element(script, syntax)))
  }

  /// In XML the bytes of a script are markup but in a section.
  private static func element(_ script: InjectedScript, _ syntax: TagScanner.Syntax) -> [UInt8] {
    switch syntax {
    case .html: Array("<script>".utf8) + script.bytes + Array("</script>".utf8)
    case .xml:
      Array("<script xmlns=\"http://www.w3.org/1999/xhtml\"><![CDATA[".utf8) + script.bytes
        + Array("]]></script>".utf8)
    }
  }
}
