import Names
import Policy

/// Gathers patterns and pins from a list, and says what is wrong with them.
struct PinLists {
  private let reader: ImportReader
  private var entries: [PatternPins.Entry] = []
  var hasFailed = false

  init(_ reader: ImportReader) { self.reader = reader }

  /// OkHttp's `add(pattern, pins…)`.
  mutating func addOkHttp(pattern text: String, pins: [String], line: Int) {
    guard let pattern = okHttpPattern(text, line) else { return }
    if pins.isEmpty { fail(line, "`\(text.prefix(100))` has no pin; `sha256/` and the base64 of 32 bytes is expected") }
    add(pattern, Set(pins.compactMap { okHttpPin($0, line) }), line)
  }

  /// curl's list for one host, or for the `hosts` of the entry.
  mutating func addCurl(hosts: [HostPattern], pins text: Substring, line: Int) {
    var pins: Set<Pin> = []
    for word in text.split(separator: ";") {
      guard word.hasPrefix("sha256//"), word.utf8.count == 52, let pin = Pin(String(word)) else {
        fail(line, "`\(word.prefix(100))` is no pin of curl; `sha256//` and the base64 of 32 bytes is expected")
        continue
      }
      pins.insert(pin)
    }
    for host in hosts { add(host, pins, line) }
  }

  private mutating func add(_ pattern: HostPattern, _ pins: Set<Pin>, _ line: Int) {
    if pins.count == 1 {
      reader.report(
        .note, line: line, keyPath: pattern.text,
        "there is one pin and no backup: a new key at the origin locks clients out")
    }
    entries.append(PatternPins.Entry(pattern: pattern, pins: pins))
  }

  /// OkHttp knows neither ports nor `*` alone.
  private mutating func okHttpPattern(_ text: String, _ line: Int) -> HostPattern? {
    let expected = "`a.test`, `*.a.test` (one label more) or `**.a.test` (itself and any depth) is expected"
    do throws(NameFault) {
      let isAddress = text.utf8.count { $0 == UInt8(ascii: ":") } > 1
      if text == "*" || (!isAddress && text.utf8.contains(UInt8(ascii: ":"))) { throw .badPattern(text) }
      return try HostPattern(text)
    } catch {
      fail(line, "`\(text.prefix(100))` is no pattern of OkHttp: \(error); \(expected)")
      return nil
    }
  }

  private mutating func okHttpPin(_ text: String, _ line: Int) -> Pin? {
    if text.hasPrefix("sha1/") {
      fail(
        line, "`\(text.prefix(100))`: pins of SHA-1 are not read; write `sha256/…`, as `pinwarden pins FILE` prints it")
      return nil
    }
    if text.hasPrefix("sha256//"), text.utf8.count == 52 {
      fail(line, "`\(text)` is in curl's spelling; OkHttp writes one slash, and a list is in one format")
      return nil
    }
    if let pin = Pin(text) { return pin }
    fail(line, "`\(text.prefix(100))` is no pin; `sha256/` and the base64 of 32 bytes is expected")
    return nil
  }

  mutating func fail(_ line: Int, _ message: String) {
    hasFailed = true
    reader.report(.error, line: line, message)
  }

  /// nil if something was wrong.
  func finish(_ format: ImportFormat) -> [ImportedPolicy]? {
    guard !hasFailed else { return nil }
    guard entries.count <= PatternPins.maximumEntryCount else {
      reader.report(.error, "the list has more than \(PatternPins.maximumEntryCount) hosts")
      return nil
    }
    if entries.isEmpty { reader.report(.warning, "the list has no pins, so it has no effect") }
    let rules = PatternPins(entries, place: format == .curl ? .leaf : .chain)
    return [reader.policy(format, .patterns(rules))]
  }
}
