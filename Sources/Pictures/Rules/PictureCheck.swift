import HTTP

/// Whether the body of a 200 is an image: what SDWebImage refuses as bad image data is not kept as a picture.
public enum PictureCheck {
  /// - Parameters:
  ///   - head: its Content-Type is believed only about formats that have no entry in `PictureKind`.
  ///   - start: the first bytes of the body, `PictureKind.signatureByteCount` of them if there are so many.
  public static func isPicture(_ head: HeaderList, start: some Collection<UInt8>) -> Bool {
    if PictureKind(signature: start) != nil { return true }
    // Behind a content coding nothing can be seen of a format; those coded by their server are drawings and icons.
    if let coding = head.first(.contentEncoding)?.lowercased(), coding != "identity" { return declares(head) }
    guard let type = type(of: head), type.hasPrefix("image/"), !checked.contains(type) else { return false }
    return type == "image/svg+xml" || !looksLikeText(start)
  }

  private static func declares(_ head: HeaderList) -> Bool {
    type(of: head)?.hasPrefix("image/") == true
  }

  /// Types whose bodies are known by their first bytes.
  private static let checked: Set<String> = [
    "image/png", "image/jpeg", "image/jpg", "image/gif", "image/webp", "image/heic", "image/heif", "image/avif",
  ]

  /// The media type without parameters, in lower case.
  private static func type(of head: HeaderList) -> String? {
    head.first(.contentType).map { value in
      String(value.prefix { $0 != ";" }).trimmingBlanks.lowercased()
    }
  }

  /// No other image format begins with nothing but text.
  private static func looksLikeText(_ start: some Collection<UInt8>) -> Bool {
    start.prefix(PictureKind.signatureByteCount).allSatisfy { $0 >= 0x20 || (0x09...0x0D).contains($0) }
  }
}

extension String {
  /// Without spaces and tabs at both ends.
  var trimmingBlanks: String {
    let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
    var bytes = self.utf8[...]
    while let first = bytes.first, isBlank(first) { bytes.removeFirst() }
    while let last = bytes.last, isBlank(last) { bytes.removeLast() }
    return String(Substring(bytes))
  }
}
