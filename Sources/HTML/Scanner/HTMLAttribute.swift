/// One attribute of a tag.
public struct HTMLAttribute: Equatable, Sendable {
  /// In lower case; as it is spelt in XML.
  public let name: [UInt8]
  /// As it stands in the page, without its quotes; `HTMLReferences` reads it.
  public let value: [UInt8]
  /// Where the value stands, counted from the `<` of its tag; empty where there is none.
  public let valuePlace: Range<Int>
  /// Whether the value stands in quotes of either kind.
  public let isQuoted: Bool
}
