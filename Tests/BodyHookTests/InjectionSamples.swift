import BodyHook
import Bytes
import HTTP

/// What the tests of injection share.
enum Samples {
  /// A script that is easily found again.
  static func script(_ text: String = "hook()", version: UInt8 = 0xAB) -> InjectedScript {
    guard
      let script = InjectedScript(
        bytes: Array(text.utf8), digest: [version] + [UInt8](repeating: 0, count: 31))
    else { preconditionFailure("the script is no ASCII") }
    return script
  }

  static let scripts = InjectedScripts(documents: script(), workers: script("work()", version: 0xCD))

  static func fields(_ lines: [String]) -> HeaderList {
    var fields = HeaderList()
    for line in lines {
      let colon = line.firstIndex(of: ":") ?? line.endIndex
      fields.append(name: String(line[..<colon]), value: String(line[colon...].dropFirst()))
    }
    return fields
  }

  static func request(_ lines: String..., method: HTTPMethod = .get) -> RequestHead {
    RequestHead(method: method, target: "/", fields: fields(lines))
  }

  static func response(_ lines: String..., status: Int = 200) -> ResponseHead {
    ResponseHead(status: status, fields: fields(lines))
  }

  /// The request of a page, and what it is to the injection.
  static let page = request("Sec-Fetch-Dest: document", "Accept-Encoding: gzip, br")
  static let injection = InjectionRequest(page, scripts: scripts, origin: "https://a.test")
}

extension [UInt8] {
  /// Calls `body` with pieces of `size` bytes.
  func forEachPiece(of size: Int, _ body: (UnsafeRawBufferPointer) throws -> Void) rethrows {
    var rest = self[...]
    while !rest.isEmpty {
      try Array(rest.prefix(size)).withUnsafeBytes { try body($0) }
      rest = rest.dropFirst(size)
    }
  }
}
