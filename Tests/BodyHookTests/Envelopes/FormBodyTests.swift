import HTTP
import Testing

@testable import BodyHook

@Suite struct FormBodyTests {
  private func body(
    _ entries: [FormEntry], _ encoding: FormEncoding, charset: String = "UTF-8", limit: Int = 1 << 20
  ) throws -> String {
    let form = EnvelopeMeta.Form(encoding: encoding, charset: charset)
    let bytes = try FormBody(entries, form, boundary: "B", limit: limit).bytes
    return String(decoding: bytes, as: Unicode.ASCII.self)
  }

  private static func text(_ name: String, _ value: String) -> FormEntry { FormEntry(name: name, value: .text(value)) }

  @Test(
    arguments: [
      ("GBK", "\u{4E2D}\u{1F600}", "%D6%D0%26%23128512%3B"), ("UTF-8", "\u{4E2D}", "%E4%B8%AD"),
      ("Shift_JIS", "\u{65E5}\u{2460}", "%93%FA%87%40"), ("EUC-KR", "\u{D55C}\u{BDC1}", "%C7%D1%94%EE"),
      ("Big5", "\u{4E2D}", "%A4%A4"), ("windows-1252", "\u{20AC}\u{4E2D}", "%80%26%2320013%3B"),
      ("gb18030", "\u{1F600}", "%949%FC6"), ("UTF-16LE", "\u{4E2D}", "%E4%B8%AD"), ("nonsense", "\u{E9}", "%C3%A9"),
      ("ISO-2022-JP", "\u{65E5}a", "%1B%24BF%7C%1B%28Ba"),
      ("UTF-8", "a b+*-._~\r\n\n\r", "a+b%2B*-._%7E%0D%0A%0D%0A%0D%0A"),
      ("GBK", "\u{20AC}", "%80"), ("EUC-JP", "\u{65E5}", "%C6%FC"), ("x-user-defined", "\u{E9}", "%C3%A9"),
    ])
  func `the charset of the page is that of its forms`(_ charset: String, _ value: String, _ expected: String) throws {
    #expect(try body([Self.text("k", value)], .urlencoded, charset: charset) == "k=\(expected)")
  }

  @Test func `plain text is written as it is`() throws {
    #expect(try body([Self.text("k", "x=1\ny"), Self.text("a&b", "")], .plain) == "k=x=1\r\ny\r\na&b=\r\n")
  }

  @Test func `files stand in multipart bodies alone`() throws {
    let file = FormEntry(name: "f\"\n", value: .file(name: "a\".bin", type: "", bytes: [0x41, 0x0D, 0x0A]))
    #expect(try body([file], .urlencoded) == "f%22%0D%0A=a%22.bin")
    #expect(
      try body([Self.text("k", "1\r2"), file], .multipart)
        == "--B\r\nContent-Disposition: form-data; name=\"k\"\r\n\r\n1\r\n2\r\n"
        + "--B\r\nContent-Disposition: form-data; name=\"f%22%0D%0A\"; filename=\"a%22.bin\"\r\n"
        + "Content-Type: application/octet-stream\r\n\r\nA\r\n\r\n--B--\r\n")
  }

  @Test func `a body does not grow beyond its bound`() {
    #expect(throws: EnvelopeFault.tooLarge) { try body([Self.text("k", "\u{4E2D}")], .urlencoded, limit: 8) }
  }

  @Test func `entries are read, and nothing else`() throws {
    let bytes: [UInt8] =
      [0x74, 0, 0, 0, 1, 0x6B, 0, 0, 0, 0] + [0x66, 0, 0, 0, 0, 0, 0, 0, 1, 0x6E, 0, 0, 0, 0, 0, 0, 0, 2, 1, 2]
    #expect(
      try FormEntry.list(bytes)
        == [Self.text("k", ""), FormEntry(name: "", value: .file(name: "n", type: "", bytes: [1, 2]))])
    for count in 1..<bytes.count where count != 10 {
      #expect(throws: EnvelopeFault.self) { try FormEntry.list(Array(bytes[..<count])) }
    }
  }

  @Test(arguments: [
    ("multipart/form-data; boundary=----X1", "----X1"), ("Multipart/Form-Data;BOUNDARY=\"a b\"", nil),
    ("multipart/form-data; boundary=\"ab\"; x", "ab"), ("multipart/form-data", nil), ("text/plain; boundary=x", nil),
  ])
  func `the boundary is the browser's`(_ type: String, _ boundary: String?) {
    #expect(RestoredBody.boundary(type) == boundary)
  }

  @Test func `the browser's Content-Type stays where it fits`() throws {
    let entries: [UInt8] = [0x74, 0, 0, 0, 1, 0x6B, 0, 0, 0, 0]
    let meta = try EnvelopeMeta(metaText(entries, more: ",\"f\":\"m\",\"c\":\"UTF-8\""))
    let envelope = try Envelope(meta: meta, bytes: entries, digest: sum)
    let kept = try RestoredBody(
      envelope, for: requestHead([("Content-Type", "multipart/form-data; boundary=XX")]), to: "https://a.test",
      limit: 1000)
    #expect(kept.contentType == nil && String(decoding: kept.bytes, as: UTF8.self).hasSuffix("--XX--\r\n"))
    let made = try RestoredBody(envelope, for: requestHead([]), to: "https://a.test", limit: 1000)
    #expect(made.contentType?.hasPrefix("multipart/form-data; boundary=----") == true)
  }

  /// A page of another origin gets no JSON past the preflight.
  @Test(arguments: [
    ("https://a.test", "application/json", true), (nil, "application/json", true),
    ("https://b.test", "application/json", false), ("null", "application/json", false),
    ("https://b.test", "text/plain;charset=UTF-8", true), ("https://b.test", "Multipart/Form-Data; boundary=x", true),
    ("https://b.test", "text/plainx", false),
  ])
  func `another origin names only types that it may send`(_ origin: String?, _ type: String, _ isNamed: Bool) throws {
    let meta = try EnvelopeMeta(metaText([1], more: ",\"t\":\"\(type)\""))
    let envelope = try Envelope(meta: meta, bytes: [1], digest: sum)
    let body = try RestoredBody(
      envelope, for: requestHead(origin.map { [("Origin", $0)] } ?? []), to: "https://a.test", limit: 1000)
    #expect(body.contentType == (isNamed ? type : nil))
  }
}
