import Bytes
import Codings
import HTML
import HTTP

@testable import BodyHook

/// What is put into pages and workers, and how policies and entity tags are adapted. The first byte says which, the second how a body
/// is cut.
enum InjectionCheck {
  private static let url = "https://a.test/u"

  @Sendable static func run(_ bytes: [UInt8]) throws(Complaint) {
    var dice = Dice(bytes)
    let kind = dice.byte() % 8
    let size = Int(dice.byte()) % 9 + 1
    let rest = dice.bytes(bytes.count)
    switch kind {
    case 0: try policies(String(decoding: rest, as: UTF8.self))
    case 1: try tags(String(decoding: rest, as: UTF8.self))
    case 2: try body(rest, .worker, size, mark: ";hook();")
    case 3: try page(rest, .xml, nil, size)
    case 4: try page(rest, .html, .utf16LE, size)
    case 5: try page(rest, .html, .utf16BE, size)
    default: try page(rest, .html, nil, size)
    }
    try scanner(rest, size)
  }

  private static func page(
    _ bytes: [UInt8], _ syntax: TagScanner.Syntax, _ charset: Charset?, _ size: Int
  ) throws(Complaint) {
    let mark =
      syntax == .html
      ? "<script>hook()</script>"
      : "<script xmlns=\"http://www.w3.org/1999/xhtml\"><![CDATA[hook()]]></script>"
    try body(bytes, .page(syntax, declared: charset), size, mark: mark)
  }

  /// However a body is cut, the outcome is the same: the body with the script in one place, or without any.
  private static func body(
    _ bytes: [UInt8], _ place: InjectionPlan.Place, _ size: Int, mark: String
  ) throws(Complaint) {
    guard let script = InjectedScript(bytes: Array("hook()".utf8), digest: [UInt8](repeating: 0, count: 32)) else {
      throw Complaint(description: "no script")
    }
    let plan = InjectionPlan(script: script, place: place, uploadURL: url, decoding: nil, encoding: nil)
    let whole = try made(plan, bytes, size: bytes.count + 1)
    try claim(try made(plan, bytes, size: size) == whole, "something else in pieces of \(size)")
    let text = String(decoding: bytes.filter { $0 != 0 && $0 < 0x80 }, as: UTF8.self).lowercased()
    // A policy in the page may change, under any spelling of its name.
    guard !text.contains("http-equiv") else { return }
    try claim(whole == bytes || isInserted(mark, whole, bytes), "more was changed than the script's place")
  }

  private static func isInserted(_ mark: String, _ whole: [UInt8], _ bytes: [UInt8]) -> Bool {
    let forms: [[UInt8]] = [Array(mark.utf8), mark.utf8.flatMap { [$0, 0] }, mark.utf8.flatMap { [0, $0] }]
    // A comment that ends with a worker gets a line break.
    let start = zip(whole, bytes).prefix { $0 == $1 }.count
    return (0...min(start, whole.count)).reversed().contains { place in
      forms.contains { form in
        let rest = whole[place...]
        return rest.starts(with: form) && rest.dropFirst(form.count).elementsEqual(bytes[place...])
          || rest.elementsEqual([0x0A] + form)
      }
    }
  }

  private static func made(_ plan: InjectionPlan, _ bytes: [UInt8], size: Int) throws(Complaint) -> [UInt8] {
    guard let pipe = try? InjectingBody(plan) else { throw Complaint(description: "no pipe") }
    let output = ByteQueue()
    var rest = bytes[...]
    while !rest.isEmpty {
      Array(rest.prefix(size)).withUnsafeBytes { pipe.receive($0) }
      rest = rest.dropFirst(size)
      while pipe.hasMore { try? pipe.produce(into: output) }
    }
    try claim(pipe.finish(into: output), "a body without a coding was cut")
    return Array(output.bytes)
  }

  private static func scanner(_ bytes: [UInt8], _ size: Int) throws(Complaint) {
    for syntax in [TagScanner.Syntax.html, .xml] {
      try claim(
        tokens(bytes, syntax, bytes.count + 1) == tokens(bytes, syntax, size), "other tags in pieces of \(size)")
    }
  }

  private static func tokens(_ bytes: [UInt8], _ syntax: TagScanner.Syntax, _ size: Int) -> [HTMLToken] {
    var scanner = TagScanner(syntax: syntax)
    var found: [HTMLToken] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      Array(rest.prefix(size)).withUnsafeBytes { piece in
        var position = 0
        while let token = scanner.next(piece, &position) { found.append(token) }
      }
      rest = rest.dropFirst(size)
    }
    return found
  }

  /// A policy that was adapted needs no more, and restricts what it did.
  private static func policies(_ text: String) throws(Complaint) {
    for hash in ["'sha256-H'", nil] {
      let adaptation = PolicyAdaptation(hash: hash, uploadURL: url)
      let once = adaptation.adapt(fieldValue: text)
      try claim(adaptation.adapt(fieldValue: once) == once, "\(text) became \(once), which is adapted again")
      try claim(
        names(once).isSuperset(of: names(text)), "a directive of \(text) is lost in \(once)")
      let added = names(once).subtracting(names(text))
      try claim(added.isSubset(of: ["script-src", "connect-src"]), "\(added) came into \(once)")
    }
    _ = PolicyAdaptation.forbidsScripts(fieldValue: text)
  }

  private static func names(_ text: String) -> Set<String> {
    Set(text.split { $0 == "," || $0 == ";" }.compactMap { SourceList($0)?.name })
  }

  private static func tags(_ text: String) throws(Complaint) {
    for member in AdaptedTag.members(of: text) {
      let tag = AdaptedTag(version: "0123abcd", original: String(member))
      guard let written = tag.text else { continue }
      try claim(AdaptedTag(reading: written[...]) == tag, "\(member) became \(written), which is something else")
    }
  }
}
