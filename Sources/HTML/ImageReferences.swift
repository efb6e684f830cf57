/// Reads the references to images out of a page that comes in pieces. Holds one tag at most; of one that is longer than
/// `TagScanner` keeps, the last attributes are not seen.
public struct ImageReferences {
  private var scanner: TagScanner
  /// From the first `<base href>`; references are relative to it then.
  public private(set) var base: String?

  public init(syntax: TagScanner.Syntax = .html) {
    scanner = TagScanner(syntax: syntax)
  }

  /// Calls `found` with each reference, as it stands in the page, character references replaced.
  public mutating func scan(_ bytes: UnsafeRawBufferPointer, _ found: (String) -> Void) {
    var position = 0
    while let token = scanner.next(bytes, &position) {
      guard case .startTag(let tag) = token else { continue }
      if base == nil, tag.isNamed("base") { base = tag.text("href") }
      tag.forEachImage(found)
    }
  }
}
