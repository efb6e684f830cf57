import HTTP
import Testing

@Suite("Header list")
struct HeaderListTests {
  private let list = fields(
    ("Host", "a"), ("X-One", "1"), ("Connection", "a, , Upgrade"), ("connection", "\tb ,c"), ("x-one", "2"),
    ("Cookie", "k"))

  @Test("finds by token and by name, in any case")
  func lookup() {
    #expect(list.count == 6 && list.contains(.host) && !list.contains(.via) && !list.contains(.other))
    #expect(
      list.first(.host) == "a" && list.first(.via) == nil && list.values(.connection) == ["a, , Upgrade", "b ,c"])
    #expect(
      list.first(named: "X-ONE") == "1" && list.values(named: "x-one") == ["1", "2"]
        && list.first(named: "cookie") == "k")
    #expect(list.first(named: "") == nil && list.values(named: "via").isEmpty)
    for member in ["a", "upgrade", "b", "c"] as [StaticString] { #expect(list.containsMember(.connection, member)) }
    #expect(
      !list.containsMember(.connection, "a, ") && !list.containsMember(.connection, "up")
        && !list.containsMember(.via, "a"))
    var names: [String] = []
    list.forEach { token, name, value in names.append("\(token)=\(text(name))=\(text(value))") }
    #expect(names.prefix(2) == ["host=Host=a", "other=X-One=1"])
  }

  @Test("keeps place and spelling when a value is replaced")
  func editing() {
    var list = list
    list.replace(.connection, with: "close")
    #expect(list == fields(("Host", "a"), ("X-One", "1"), ("Connection", "close"), ("x-one", "2"), ("Cookie", "k")))
    list.remove(named: "X-one")
    list.remove(.cookie)
    list.remove(named: "HOST")
    #expect(list == fields(("Connection", "close")) && !list.contains(.cookie) && !list.contains(.host))
    list.replace(.via, with: "1.1 x")
    #expect(list.append(.age, "5") && !list.append(.other, "x"))
    #expect(list.description == "Connection: close\nVia: 1.1 x\nAge: 5")
  }

  @Test(
    "takes nothing that would break out of its line",
    arguments: [("", "x"), ("a b", "x"), (":path", "/"), ("A", "b\r\nC: d"), ("A", "\0")])
  func refusals(_ name: String, value: String) {
    var list = HeaderList()
    #expect(!list.append(name: name, value: value) && list.isEmpty)
    list.append(.host, "a")
    #expect(!list.replace(.host, with: "a\nb") && list.first(.host) == "a")
  }

  @Test("every known name is recognised in any case, and nothing near it")
  func tokens() {
    for name in FieldName.allCases where name != .other {
      let spelling = name.spelling.description
      #expect(
        FieldName(spelling) == name && FieldName(spelling.lowercased()) == name
          && FieldName(spelling.uppercased()) == name)
      #expect(FieldName(spelling + "x") == .other && FieldName(String(spelling.dropLast()) + "_") == .other)
    }
    #expect(
      FieldName("") == .other && FieldName("h") == .other && FieldName("X-Unknown") == .other
        && FieldName.allCases.count <= 64)
  }

  @Test("methods keep their spelling; only known ones may be repeated")
  func methods() {
    for text in ["GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH", "get", "M-SEARCH"] {
      #expect(HTTPMethod(text)?.description == text)
    }
    #expect(HTTPMethod("") == nil && HTTPMethod("A B") == nil && HTTPMethod("get") == .other("get"))
    #expect(
      HTTPMethod.put.isIdempotent && !HTTPMethod.put.isSafe && HTTPMethod.get.isSafe && !HTTPMethod.post.isIdempotent)
    #expect(!HTTPMethod.other("PROPFIND").isIdempotent)
  }

  @Test("the opening of a WebSocket is told from other upgrades")
  func webSocket() {
    let list = fields(("Connection", "keep-alive, upgrade"), ("Upgrade", "WebSocket"))
    let head = RequestHead(method: .get, target: "/", fields: list)
    #expect(head.asksForWebSocket(framing: .none) && !head.asksForWebSocket(framing: .length(1)))
    #expect(!RequestHead(method: .post, target: "/", fields: list).asksForWebSocket(framing: .none))
    #expect(
      !RequestHead(method: .get, target: "/", fields: fields(("Upgrade", "websocket"))).asksForWebSocket(framing: .none)
    )
  }

  @Test("the library tells its version")
  func library() {
    #expect(HTTPLibrary.nghttp2Version.first?.isNumber == true)
  }
}
