/// A classic script that is put into what an origin sends, without the tags around it.
///
/// Pure ASCII, so that it means the same in every encoding of a page, and free of what could end or change its element.
public struct InjectedScript: Sendable, Hashable {
  public let bytes: [UInt8]
  /// Its SHA-256, 32 bytes: content security policies allow the script by it.
  public let digest: [UInt8]
  /// Short, and another one for another script; entity tags hold it.
  public let version: String

  /// nil: `bytes` are not ASCII, or hold `</script`, `<!--` or `]]>`, by which an element would end early.
  public init?(bytes: [UInt8], digest: [UInt8]) {
    guard bytes.allSatisfy({ $0 < 0x80 }), digest.count == 32 else { return nil }
    let text = String(decoding: bytes, as: UTF8.self).lowercased()
    for forbidden in ["</script", "<!--", "]]>"] where text.contains(substring: forbidden) { return nil }
    self.bytes = bytes
    self.digest = digest
    version = digest.prefix(4).map { byte in
      let digits = String(byte, radix: 16)
      return digits.count == 1 ? "0" + digits : digits
    }.joined()
  }
}

/// The two editions of the script.
public struct InjectedScripts: Sendable, Hashable {
  /// For pages.
  public let documents: InjectedScript
  /// For workers of all kinds: on one line, so that the lines of what follows keep their numbers.
  public let workers: InjectedScript

  public init(documents: InjectedScript, workers: InjectedScript) {
    self.documents = documents
    self.workers = workers
  }
}

extension String {
  /// As Foundation's `contains`.
  func contains(substring: String) -> Bool {
    var rest = utf8[...]
    while rest.count >= substring.utf8.count {
      if rest.starts(with: substring.utf8) { return true }
      rest = rest.dropFirst()
    }
    return false
  }
}
