extension PublicSuffixes {
  /// The public suffix that a name ends in, by the list with its private part: `co.uk` of `a.example.co.uk`, the whole name if it is a suffix
  /// itself; nil for addresses, and for names whose last label the list does not know.
  public static func suffix(of host: Host) -> Substring? {
    guard host.address == nil else { return nil }
    var rest = host.text[...]
    while true {
      if isPublicSuffix(String(rest)) { return rest }
      guard let dot = rest.utf8.firstIndex(of: UInt8(ascii: ".")) else { return nil }
      rest = rest[rest.utf8.index(after: dot)...]
    }
  }
}
