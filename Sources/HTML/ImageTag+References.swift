extension ImageTag {
  /// Calls `found` with each reference to an image that the tag has.
  func forEachImage(_ found: (String) -> Void) {
    switch name {
    case "img":
      report(self["src"], found)
      candidates(self["srcset"], found)
    case "source": candidates(self["srcset"], found)
    case "video": report(self["poster"], found)
    case "input": if self["type"]?.lowercased() == "image" { report(self["src"], found) }
    case "link": if linksImage { linkedImages(found) }
    default: break
    }
  }

  private var linksImage: Bool {
    let relations = (self["rel"] ?? "").lowercased().split(whereSeparator: \.isWhitespace)
    return relations.contains("icon") || relations.contains("apple-touch-icon")
      || (relations.contains("preload") && self["as"]?.lowercased() == "image")
  }

  private func linkedImages(_ found: (String) -> Void) {
    report(self["href"], found)
    candidates(self["imagesrcset"], found)
  }

  private func report(_ reference: String?, _ found: (String) -> Void) {
    guard let reference else { return }
    let bytes = reference.utf8.filter { $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }.drop { $0 <= 0x20 }
    let text = bytes.reversed().drop { $0 <= 0x20 }.reversed()
    if !text.isEmpty { found(String(decoding: Array(text), as: UTF8.self)) }
  }

  /// The candidates of a `srcset` (HTML, section 4.8.4.2.1): URLs, each with descriptors up to the next comma.
  private func candidates(_ set: String?, _ found: (String) -> Void) {
    var rest = Array((set ?? "").utf8)[...]
    while true {
      rest = rest.drop { $0.isHTMLSpace || $0 == UInt8(ascii: ",") }
      guard !rest.isEmpty else { return }
      var url = rest.prefix { !$0.isHTMLSpace }
      rest = rest.dropFirst(url.count)
      let hasDescriptors = url.last != UInt8(ascii: ",")
      while url.last == UInt8(ascii: ",") { url.removeLast() }
      report(String(decoding: url, as: UTF8.self), found)
      if hasDescriptors { rest = rest.drop { $0 != UInt8(ascii: ",") } }
    }
  }
}
