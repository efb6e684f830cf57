extension HTMLTag {
  /// Calls `found` with each reference to an image that the tag has.
  func forEachImage(_ found: (String) -> Void) {
    if isNamed("img") {
      report("src", found)
      candidates("srcset", found)
    } else if isNamed("source") {
      candidates("srcset", found)
    } else if isNamed("video") {
      report("poster", found)
    } else if isNamed("input") {
      if text("type")?.lowercased() == "image" { report("src", found) }
    } else if isNamed("link"), linksImage {
      report("href", found)
      candidates("imagesrcset", found)
    }
  }

  /// The attribute's value, with character references replaced.
  func text(_ name: StaticString) -> String? {
    attribute(name).map { String(decoding: HTMLReferences.decode($0.value), as: UTF8.self) }
  }

  private var linksImage: Bool {
    let relations = (text("rel") ?? "").lowercased().split(whereSeparator: \.isWhitespace)
    return relations.contains("icon") || relations.contains("apple-touch-icon")
      || (relations.contains("preload") && text("as")?.lowercased() == "image")
  }

  private func report(_ name: StaticString, _ found: (String) -> Void) {
    guard let value = attribute(name)?.value else { return }
    report(HTMLReferences.decode(value)[...], found)
  }

  private func report(_ reference: ArraySlice<UInt8>, _ found: (String) -> Void) {
    var bytes = reference.filter { $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }[...].drop { $0 <= 0x20 }
    while let last = bytes.last, last <= 0x20 { bytes.removeLast() }
    if !bytes.isEmpty { found(String(decoding: bytes, as: UTF8.self)) }
  }

  /// The candidates of a `srcset` (HTML, section 4.8.4.2.1): URLs, each with descriptors up to the next comma.
  private func candidates(_ name: StaticString, _ found: (String) -> Void) {
    guard let value = attribute(name)?.value else { return }
    var rest = HTMLReferences.decode(value)[...]
    while true {
      rest = rest.drop { $0.isHTMLSpace || $0 == UInt8(ascii: ",") }
      guard !rest.isEmpty else { return }
      var url = rest.prefix { !$0.isHTMLSpace }
      rest = rest.dropFirst(url.count)
      let hasDescriptors = url.last != UInt8(ascii: ",")
      while url.last == UInt8(ascii: ",") { url.removeLast() }
      report(url, found)
      if hasDescriptors { rest = rest.drop { $0 != UInt8(ascii: ",") } }
    }
  }
}
