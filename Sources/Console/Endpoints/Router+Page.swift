import HTTP

/// The web page and its files.
///
/// The files are for everybody: they are the same on every machine and hold nothing of this one, and the page that asks for the token
/// needs some of them. What they show comes from `/api`, which is for those with the token.
extension Router {
  func page(_ visitor: Gate.Visitor) -> Outcome {
    guard visitor != .stranger else { return .now(.page(LoginPage(.stranger).text)) }
    guard let shell = page[PageFiles.shell] else { return .now(.page(LoginPage(.withoutPage(page.folders)).text)) }
    return .now(Answer(status: 200, contentType: shell.contentType, body: .bytes(shell.bytes)))
  }

  func asset(_ name: String, _ request: ConsoleRequest) -> Outcome {
    guard name != PageFiles.shell, let file = page[name] else {
      let reason = page.isEmpty ? "the files of the web page are not installed" : "the web page has no such file"
      return .now(.problem(404, reason))
    }
    var answer = Answer(status: 200, contentType: file.contentType, body: .bytes(file.bytes)).with("ETag", file.tag)
    // Kept, but asked about each time: a new version of the program shows at once.
    answer.caching = "no-cache"
    if Self.isKnown(file.tag, request) {
      answer.status = 304
      answer.body = .unchanged(byteCount: file.bytes.count)
    }
    return .now(answer)
  }

  /// `If-None-Match` (RFC 9110, section 13.1.2), by weak comparison.
  private static func isKnown(_ tag: String, _ request: ConsoleRequest) -> Bool {
    request.fields.values(named: "If-None-Match").contains { value in
      value.split(separator: ",").contains { candidate in
        let candidate = candidate.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" }
        return candidate == "*" || candidate == tag || candidate == "W/\(tag)"
      }
    }
  }
}
