import Names
import Policy

/// Lists of pins, an entry a line: OkHttp, curl and `Public-Key-Pins`. `#` and `//` begin comments where a line or a word begins.
extension ImportReader {
  func lines(_ bytes: [UInt8], _ detected: ImportFormat?) -> [ImportedPolicy]? {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      report(.error, "this is not valid UTF-8")
      return nil
    }
    guard expecting([.okHttp, .curl, .hpkp]) else { return nil }
    guard let format = settings.format ?? detected else {
      report(
        .error,
        "the format cannot be told from the content; an Info.plist, a network_security_config.xml, certificates, lines such as "
          + "`*.a.test sha256/…`, `a.test sha256//…;sha256//…` and `a.test pin-sha256=\"…\"`, and a JSON object of such "
          + "lists can be imported")
      return nil
    }
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated()
      .map { (number: $0.offset + 1, words: Self.words($0.element)) }.filter { !$0.words.isEmpty }
    switch format {
    case .curl: return curl(lines)
    case .hpkp: return refuseHosts() ? nil : hpkp(lines)
    default: return refuseHosts() ? nil : okHttp(lines)
    }
  }

  typealias Line = (number: Int, words: [Substring])

  private static func words(_ line: Substring) -> [Substring] {
    let words = line.split { $0 == " " || $0 == "\t" || $0 == "\u{FEFF}" }
    let comment = words.firstIndex { $0.hasPrefix("#") || $0.hasPrefix("//") }
    return Array(words[..<(comment ?? words.endIndex)])
  }

  private func okHttp(_ lines: [Line]) -> [ImportedPolicy]? {
    var lists = PinLists(self)
    for line in lines {
      let words = line.words.flatMap { $0.split(separator: ",") }.map { String($0) }
      guard let pattern = words.first else { continue }
      lists.addOkHttp(pattern: pattern, pins: Array(words.dropFirst()), line: line.number)
    }
    return lists.finish(.okHttp)
  }

  private func curl(_ lines: [Line]) -> [ImportedPolicy]? {
    var lists = PinLists(self)
    for line in lines {
      let namesHost = line.words.first.map { !$0.hasPrefix("sha256/") } ?? false
      let pins = (namesHost ? line.words.dropFirst() : line.words[...]).joined()
      var hosts = settings.hosts
      if namesHost, let word = line.words.first {
        do throws(NameFault) {
          hosts = [try HostPattern(String(word))]
        } catch {
          lists.fail(line.number, "`\(word.prefix(100))` is no host: \(error)")
        }
      }
      if hosts.isEmpty {
        lists.fail(line.number, "these pins have no host; put it before them, or give the entry of `imports` `hosts`")
      } else if pins.isEmpty {
        lists.fail(line.number, "there are no pins; `sha256//…;sha256//…` is expected")
      }
      lists.addCurl(hosts: hosts, pins: pins[...], line: line.number)
    }
    return lists.finish(.curl)
  }
}
