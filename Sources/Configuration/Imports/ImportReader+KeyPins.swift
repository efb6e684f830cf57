import Names
import Policy

/// Lines of a host and its `Public-Key-Pins` (RFC 7469, section 2.1), the name of the field before the value or not.
extension ImportReader {
  func hpkp(_ lines: [Line]) -> [ImportedPolicy]? {
    var entries: [Host: HTTPKeyPins.Entry] = [:]
    var hasFailed = false
    for line in lines {
      guard let (host, entry) = keyPins(line) else {
        hasFailed = true
        continue
      }
      guard let entry else { continue }
      if entries.updateValue(entry, forKey: host) != nil {
        report(.error, line: line.number, "`\(host)` is named twice")
        hasFailed = true
      }
    }
    return hasFailed ? nil : [policy(.hpkp, .hpkp(HTTPKeyPins(entries)))]
  }

  /// nil: the line cannot be used. No entry: it pins nothing.
  private func keyPins(_ line: Line) -> (host: Host, entry: HTTPKeyPins.Entry?)? {
    guard let name = line.words.first, let host = try? Host(String(name)) else {
      report(
        .error, line: line.number,
        "the line does not begin with a host; `a.test pin-sha256=\"…\"; pin-sha256=\"…\"` is expected")
      return nil
    }
    var words = line.words.dropFirst()
    var entry = HTTPKeyPins.Entry(pins: [], includesSubdomains: false, enforce: true)
    let field = words.first?.lowercased() ?? ""
    if ["public-key-pins:", "public-key-pins-report-only:"].contains(field) {
      entry.enforce = field == "public-key-pins:"
      words = words.dropFirst()
    }
    var isForgotten = false
    for directive in words.joined(separator: " ").split(separator: ";") {
      guard read(directive.trimmed, into: &entry, &isForgotten, line.number) else { return nil }
    }
    if isForgotten {
      report(.note, line: line.number, "`max-age=0` makes clients forget the pins of `\(host)`: nothing is pinned")
      return (host, nil)
    }
    guard entry.pins.count >= (entry.enforce ? 2 : 1) else {
      report(
        .error, line: line.number,
        "RFC 7469 wants two different pins at least (the second is the backup); there \(entry.pins.count == 1 ? "is 1" : "are \(entry.pins.count)")"
      )
      return nil
    }
    return (host, entry)
  }

  private func read(
    _ directive: Substring, into entry: inout HTTPKeyPins.Entry, _ isForgotten: inout Bool, _ line: Int
  ) -> Bool {
    let parts = directive.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = parts.first?.trimmed.lowercased() ?? ""
    var value = parts.count > 1 ? parts[1].trimmed : ""
    if value.count >= 2, value.hasPrefix("\""), value.hasSuffix("\"") { value = value.dropFirst().dropLast() }
    switch name {
    case "": break
    case "pin-sha256":
      guard let pin = Pin(base64: String(value)) else {
        report(.error, line: line, "`\(value.prefix(100))` is not the base64 of 32 bytes")
        return false
      }
      entry.pins.insert(pin)
    case "includesubdomains": entry.includesSubdomains = true
    case "max-age": isForgotten = value == "0"
    case "report-uri":
      report(.note, line: line, "nothing is sent to `report-uri`; reports go out in TrustKit's form only")
    default: report(.note, line: line, "the directive `\(name.prefix(100))` has no effect, as RFC 7469 wants it")
    }
    return true
  }
}

extension Substring {
  /// Without the blanks at its ends.
  fileprivate var trimmed: Substring {
    var rest = self
    while rest.first == " " || rest.first == "\t" { rest.removeFirst() }
    while rest.last == " " || rest.last == "\t" { rest.removeLast() }
    return rest
  }
}
