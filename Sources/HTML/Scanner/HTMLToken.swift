/// What a scanner finds in a page.
public enum HTMLToken: Equatable, Sendable {
  case startTag(HTMLTag)
  /// The name in lower case; as it is spelt in XML.
  case endTag([UInt8])
  case doctype
  /// A comment, and what HTML takes for one: `<?…>`, `</…>` without a name.
  case comment
  /// Text other than white space begins. Told once between two other tokens; the text itself is not collected.
  case text
}
