extension UInt8 {
  /// Whether the byte is white space to an HTML tokenizer (HTML, section 13.2.5: tab, line feed, form feed, carriage return, space).
  public var isHTMLSpace: Bool {
    switch self {
    case 0x09, 0x0A, 0x0C, 0x0D, 0x20: true
    default: false
    }
  }
}
