/// A start tag with its attributes. Bounded: of a very long tag the last attributes are missing.
public struct HTMLTag: Equatable, Sendable {
  /// In lower case; as it is spelt in XML.
  public internal(set) var name: [UInt8] = []
  /// In the order of the page; the first of two with equal names is the one that counts.
  public internal(set) var attributes: [HTMLAttribute] = []
  /// `<name/>`. Only XML, and SVG or MathML inside HTML, give this a meaning.
  public internal(set) var isSelfClosing = false
  /// The name or some attributes were longer than what is kept.
  public internal(set) var isCut = false

  public func isNamed(_ name: StaticString) -> Bool {
    self.name.elementsEqual(UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
  }

  /// The first attribute of that name, which is given in lower case.
  public func attribute(_ name: StaticString) -> HTMLAttribute? {
    let wanted = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
    return attributes.first { $0.name.elementsEqual(wanted) }
  }
}
