import HTTP
import Testing

@testable import BodyHook

@Suite struct EnvelopeMetaTests {
  private static let digest = String(repeating: "ab", count: 32)

  private func meta(_ json: String) throws(EnvelopeFault) -> EnvelopeMeta {
    try EnvelopeMeta(base64URL(Array(json.utf8)))
  }

  @Test func `everything is read`() throws {
    let read = try meta(
      #"{"v":1,"m":"PATCH","l":12,"d":"\#(Self.digest)","t":"text/\u0070lain; x=\"\ud83d\ude00\"","a":"a/b","f":"m","c":"GBK"}"#
    )
    #expect(read.method == .patch && read.byteCount == 12 && read.digest.count == 32 && !read.isOverLimit)
    #expect(read.contentType == "text/plain; x=\"\u{1F600}\"" && read.accept == "a/b")
    #expect(read.form == EnvelopeMeta.Form(encoding: .multipart, charset: "GBK"))
  }

  @Test func `a body over the limit needs no digest`() throws {
    #expect(try meta(#"{"v":1,"m":"POST","l":99,"o":true,"t":null}"#).isOverLimit)
  }

  @Test(arguments: [
    "", "{}", #"{"v":2,"m":"POST","l":1,"d":"D"}"#, #"{"v":1,"l":1,"d":"D"}"#, #"{"v":1,"m":"A B","l":1,"d":"D"}"#,
    #"{"v":1,"m":"POST","d":"D"}"#, #"{"v":1,"m":"POST","l":-1,"d":"D"}"#, #"{"v":1,"m":"POST","l":1}"#,
    #"{"v":1,"m":"POST","l":1.5,"d":"D"}"#, #"{"v":1,"m":"POST","l":1,"d":"Dx"}"#,
    #"{"v":1,"m":"POST","l":1,"d":"D","t":"a\r\nb"}"#, #"{"v":1,"m":"POST","l":1,"d":"D","f":"x","c":"GBK"}"#,
    #"{"v":1,"m":"POST","l":1,"d":"D","f":"u"}"#, #"{"v":1,"m":"POST","l":1,"d":"D"} "x""#,
    #"{"v":1,"v":1,"m":"POST","l":1,"d":"D"}"#, #"{"v":1,"m":"POST","l":1,"d":"D","t":["x"]}"#,
    #"{"v":1,"m":"POST","l":1,"d":"D",}"#, #"{"v":1,"m":"POST","l":1,"d":"D","t":"\ud800"}"#,
    #"{"v":1,"m":"POST","l":1,"d":"D","t":"x"#, #"{"v":1,"m":"POST","l":01,"d":"D"}"#,
  ])
  func `anything else is refused`(_ json: String) {
    let json = json.replacing("\"D", with: "\"\(Self.digest)")
    #expect(throws: EnvelopeFault.self) { try meta(json) }
  }
}
