import HTTP
import Testing

@testable import BodyHook

@Suite struct HookChannelTests {
  private static let name = "00112233445566778899aabbccddeeff"

  private func take(
    _ fields: [(String, String)], method: HTTPMethod = .post, path: String = "/"
  ) -> (channel: HookChannel?, head: RequestHead, path: String) {
    var head = requestHead(fields, method)
    var path = Array(path.utf8)[...]
    let channel = HookChannel.take(from: &head, path: &path)
    return (channel, head, String(decoding: path, as: UTF8.self))
  }

  @Test func `a request without a channel is left alone`() {
    let fields = [("Accept", "text/html, application/x-pb"), ("Referer", "https://a.test/?__pb=1"), ("X-P", "1")]
    let (channel, changed, path) = take(fields, path: "/?__pb=1&a__pb=\(Self.name)")
    #expect(channel == nil && changed == requestHead(fields) && path == "/?__pb=1&a__pb=\(Self.name)")
  }

  @Test(arguments: [
    ("*/*, application/x-pb.N", "*/*"), ("application/x-pb.N", nil),
    ("a/b;q=0.5,  c/d , application/x-pb.N", "a/b;q=0.5,  c/d"),
    ("application/x-pb.N, a/b", "a/b"), ("a/b, application/x-pb.N, c/d", "a/b, c/d"), ("application/x-pb.N,", nil),
  ])
  func `the member of Accept is taken out`(_ accept: String, _ rest: String?) {
    let (channel, head, _) = take([("accept", accept.replacing("N", with: Self.name))])
    #expect(channel?.identifier == EnvelopeID(Array(Self.name.utf8)) && head.fields.first(.accept) == rest)
  }

  @Test(arguments: [
    ("/?__pb=N", "/"), ("/?&__pb=N", "/?"), ("/?a=1&__pb=N", "/?a=1"), ("/?__pb=N&a=1", "/?a=1"),
    ("/?a&__pb=N&b", "/?a&b"), ("/x/__pb=N?a", "/x/__pb=N?a"), ("/?__pb=N0", "/?__pb=N0"), ("/?a=__pb=N", "/?a=__pb=N"),
  ])
  func `the parameter is taken out`(_ path: String, _ rest: String) {
    let (_, head, cleaned) = take(
      [("Referer", "https://a.test" + path.replacing("N", with: Self.name))],
      path: path.replacing("N", with: Self.name))
    #expect(cleaned == rest.replacing("N", with: Self.name))
    #expect(head.fields.first(.referer) == "https://a.test" + rest.replacing("N", with: Self.name))
  }

  @Test func `fields that came twice are as good as none, and gone`() {
    let (channel, head, _) = take([("X-PB-M", "a"), ("x-pb-m", "b"), ("x-pb-D", "c"), ("x-other", "d")])
    #expect(channel?.fields.meta == nil && channel?.fields.data == Array("c".utf8)[...])
    #expect(head.fields.count == 1)
  }

  @Test func `only preflights are looked at for what they ask`() {
    let asked = ("Access-Control-Request-Headers", "x-pb-m, content-type,X-PB-D")
    let (channel, preflight, _) = take([asked], method: .options)
    #expect(channel?.askedFields == ["x-pb-m", "x-pb-d"])
    #expect(preflight.fields.first(named: "access-control-request-headers") == "content-type")
    #expect(channel?.isOnlyReason(for: preflight) == false)
    #expect(take([asked]).channel == nil)
  }

  @Test(arguments: [("POST", true), ("GET", true), ("PUT", false), ("PATCH", false)])
  func `a method that needs a preflight anyway keeps it`(_ method: String, _ isOnly: Bool) {
    let (channel, head, _) = take(
      [("Access-Control-Request-Headers", "x-pb-m"), ("Access-Control-Request-Method", method)], method: .options)
    #expect(channel?.isOnlyReason(for: head) == isOnly)
  }
}
