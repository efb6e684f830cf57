import Foundation
import Testing

@testable import Console

@Suite struct PageFilesTests {
  /// A folder with files of the given names; gone when the test is.
  private final class Folder {
    let path = FileManager.default.temporaryDirectory.appending(path: "pinwarden-\(UUID().uuidString)").path()

    init(_ files: [String: Int]) throws {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      for (name, count) in files { try Data(repeating: 0x61, count: count).write(to: URL(filePath: "\(path)/\(name)")) }
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
  }

  @Test(arguments: [
    "", ".", "..", ".js", "a", "a.", "a.txt", "A.js", "a.js.map", "../a.js", "a/b.js", "..js", "a..js", "a_b.js",
    "ä.js", "a.js\0",
  ])
  func otherNamesAreNone(name: String) {
    #expect(!PageFiles.isName(name))
  }

  @Test func onlyWhatIsThereAtTheStartIsServed() throws {
    let folder = try Folder(["index.html": 3, "a.js": 5, "notes.txt": 1, "big.js": 600 << 10, ".hidden.js": 1])
    let files = PageFiles(folders: ["/nowhere", folder.path])
    try Data("later".utf8).write(to: URL(filePath: "\(folder.path)/b.js"))
    #expect(files["index.html"]?.bytes.count == 3 && files["a.js"]?.contentType == "text/javascript; charset=utf-8")
    for name in ["notes.txt", "big.js", ".hidden.js", "b.js", "../\(folder.path)/a.js", "/etc/passwd"] {
      #expect(files[name] == nil, "\(name)")
    }
  }

  @Test func aFolderWithoutTheShellIsNoPage() throws {
    let folder = try Folder(["a.js": 1])
    let files = PageFiles(folders: [folder.path, "/nowhere"])
    #expect(files.isEmpty && files["a.js"] == nil && files.folders == [folder.path, "/nowhere"])
  }

  @Test func tagsChangeWithTheBytes() throws {
    let (one, other) = (try Folder(["index.html": 3]), try Folder(["index.html": 4]))
    let tags = [one, one, other].map { PageFiles(folders: [$0.path])["index.html"]?.tag }
    #expect(tags[0] == tags[1] && tags[0] != tags[2] && tags[0]?.hasPrefix("\"") == true)
  }

  // MARK: the page as it is shipped

  private static let folder = URL(filePath: #filePath).appending(path: "../../../Sources/Console/Page").standardized

  private static func sources() throws -> [(name: String, text: String)] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path()).sorted().map {
      ($0, try String(contentsOf: folder.appending(path: $0), encoding: .utf8))
    }
  }

  @Test func everyFileIsServed() throws {
    let sources = try Self.sources()
    #expect(sources.count > 20)
    for (name, text) in sources { #expect(Kit.page[name]?.bytes == Array(text.utf8), "\(name)") }
  }

  @Test func whatFilesNameIsThere() throws {
    for (name, text) in try Self.sources() {
      for match in text.matches(of: /(?:from "\.\/|(?:src|href)="\/page\/|url\("\/page\/)([^"]+)"/) {
        #expect(Kit.page[String(match.1)] != nil, "\(name) names \(match.1)")
      }
    }
  }

  @Test func nothingComesFromElsewhereAndNoMarkupIsMadeOfText() throws {
    let forbidden = [
      "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "srcdoc", "style=\"",
    ]
    for (name, text) in try Self.sources() {
      for word in forbidden { #expect(!text.contains(word), "\(name) has \(word)") }
      #expect(!text.contains(/(src|href)="(https?:)?\/\//) && !text.contains(/url\("?(https?:)?\/\//), "\(name)")
    }
    let shell = try #require(Kit.page["index.html"].map { String(decoding: $0.bytes, as: UTF8.self) })
    #expect(
      !shell.contains("<style") && !shell.contains(/<script[^>]*>[^<]/) && !shell.contains(" onload=")
        && !shell.contains(" onclick="))
  }
}

/// The page over loopback.
@Suite struct PageServingTests {
  @Test func filesNeedNoTokenAndAreAskedAboutAgain() async throws {
    let console = try TestConsole()
    let client = try await console.connect()
    await client.send(console.text("GET", "/page/app.js", authorization: nil))
    let whole = try await client.response()
    let tag = try #require(whole["ETag"])
    #expect(
      whole.status == 200 && whole["Content-Type"] == "text/javascript; charset=utf-8" && whole.body.contains("import"))
    #expect(whole["Cache-Control"] == "no-cache" && whole["X-Content-Type-Options"] == "nosniff")
    await client.send(console.text("HEAD", "/page/app.js", authorization: nil))
    let head = try await client.response(to: "HEAD")
    #expect(head.status == 200 && head["Content-Length"] == whole["Content-Length"] && head["ETag"] == tag)
    for (known, status) in [(tag, 304), ("\"x\", W/\(tag)", 304), ("*", 304), ("\"x\"", 200)] {
      await client.send(console.text("GET", "/page/app.js", ["If-None-Match: \(known)"], authorization: nil))
      let answer = try await client.response()
      #expect(answer.status == status && answer["ETag"] == tag && answer.body.isEmpty == (status == 304), "\(known)")
    }
    // The connection is still in step.
    await client.send(console.text("GET", "/healthz", authorization: nil))
    #expect(try await client.response().body == "ok\n")
    await console.end()
  }

  @Test(arguments: ["/page/nothing.js", "/page/index.html", "/page/../app.js", "/page/%2e%2e/app.js", "/page//app.js"])
  func nothingElseIsServed(path: String) async throws {
    let console = try TestConsole()
    #expect(try await console.ask("GET", path).status == 404)
    await console.end()
  }

  @Test func aSessionGetsTheShellAndStrangersTheLogin() async throws {
    let console = try TestConsole()
    let login = try await console.ask("GET", "/")
    #expect(login.status == 200 && login.body.contains("name=\"token\"") && login["Cache-Control"] == "no-store")
    let shell = try await Self.visit(console)
    #expect(shell.body.contains("/page/app.js") && shell["Cache-Control"] == "no-store")
    let policy = shell["Content-Security-Policy"] ?? ""
    for part in [
      "default-src 'none'", "script-src 'self'", "img-src 'self' blob:", "frame-ancestors 'none'",
      "trusted-types 'none'",
    ] {
      #expect(policy.contains(part))
    }
    await console.end()
  }

  @Test func withoutFilesThePageSaysSoAndTheRestGoesOn() async throws {
    let console = try TestConsole(page: PageFiles(folders: ["/nowhere/page"]))
    let page = try await Self.visit(console)
    #expect(page.status == 200 && page.body.contains("not installed") && page.body.contains("/nowhere/page"))
    let asset = try await console.ask("GET", "/page/app.js")
    #expect(asset.status == 404 && asset.body.contains("not installed"))
    #expect(try await console.ask("GET", "/api/policy").status == 200)
    await console.end()
  }

  /// Logs in as a browser does, and asks for the page.
  private static func visit(_ console: TestConsole) async throws -> Response {
    let client = try await console.connect()
    let fields = ["Content-Type: application/x-www-form-urlencoded", "Origin: http://\(console.address)"]
    await client.send(console.text("POST", "/login", fields, body: "token=\(Kit.token)", authorization: nil))
    let cookie = try #require(try await client.response()["Set-Cookie"]).prefix { $0 != ";" }
    await client.send(console.text("GET", "/", ["Cookie: \(cookie)"], authorization: nil))
    let page = try await client.response()
    await client.close()
    return page
  }
}
