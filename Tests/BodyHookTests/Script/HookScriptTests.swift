import Names
import Testing

@testable import BodyHook

@Suite struct HookScriptTests {
  private func script(_ hosts: [String] = ["a.test"], limit: Int = 1 << 20, headLimit: Int = 64 << 10) throws
    -> HookScript
  {
    HookScript(hosts: try hosts.map { try HostPattern($0) }, limit: limit, headLimit: headLimit)
  }

  @Test func `a configuration always makes the same bytes`() throws {
    #expect(try script() == script())
    #expect(
      try script() != script(["b.test"]) && script() != script(limit: 5) && script() != script(headLimit: 8 << 10))
  }

  /// It stands in HTML and XHTML, in pages of any charset, and on the first line of workers. Two slashes would hide the rest of the line.
  @Test(arguments: ["</", "<!--", "]]>", "-->", "//", "\n", "\r", "\t"])
  func `it is one line of ASCII without markup`(_ forbidden: String) throws {
    let scripts = try script()
    for bytes in [scripts.document, scripts.worker] {
      let isASCII = bytes.allSatisfy { $0 < 0x80 }
      let isThere = String(decoding: bytes, as: UTF8.self).contains(forbidden)
      let byteCount = bytes.count
      #expect(isASCII && !isThere && byteCount < 40_000)
    }
  }

  @Test func `workers have no forms`() throws {
    let scripts = try script()
    let ofWorkers = String(decoding: scripts.worker, as: UTF8.self).contains("HTMLFormElement")
    let ofDocuments = String(decoding: scripts.document, as: UTF8.self).contains("HTMLFormElement")
    #expect(!ofWorkers && ofDocuments)
  }

  @Test func `patterns are written in their normal form`() throws {
    let script = try script(["A.test.", "**.m\u{FC}nchen.test:8443", "*.c.test", "*"])
    let text = String(decoding: script.worker.suffix(170), as: UTF8.self)
    #expect(
      text.hasSuffix(
        #"{"hosts":[["host","a.test",0],["deep","xn--mnchen-3ya.test",8443],["one","c.test",0],["*","",0]],"#
          + #""limit":1048576,"piece":24576});"#))
  }

  @Test(arguments: [(64 << 10, 24 << 10), (32 << 10, 18_432), (1 << 10, 576), (1 << 20, 24 << 10)])
  func `a part fits into a head`(_ headLimit: Int, _ byteCount: Int) {
    #expect(HookScript.pieceByteCount(headLimit) == byteCount)
  }
}
